// What differs from run to run, made the same: a memory image must not tell when and where it was taken.

import crypto from "node:crypto";

const SOME_TIME = Date.UTC(2020, 0, 1);

/** Stop the clocks, and let random numbers begin with the same ones. */
export function standStill() {
  process.env.TZ = "UTC";
  Date.now = () => SOME_TIME;
  globalThis.Date = class extends Date {
    /** @param {any[]} parts */
    constructor(...parts) {
      // @ts-expect-error: as many arguments as Date takes
      super(...(parts.length ? parts : [SOME_TIME]));
    }
  };
  performance.now = () => 0;
  let state = 1;
  Math.random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
  const fill = (/** @type {any} */ view) => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let at = 0; at < bytes.length; at++) bytes[at] = Math.random() * 256;
    return view;
  };
  crypto.randomFillSync = fill;
  globalThis.crypto.getRandomValues = fill;
  // When JavaScript collects its garbage depends on the load of the machine, and frees Python objects.
  globalThis.FinalizationRegistry = /** @type {any} */ (
    class {
      register() {}
      unregister() {}
    }
  );
}
