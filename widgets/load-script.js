// Scripts of this site that a page runs only when it comes to need them.

/** @type {Map<string, Promise<void>>} by address */
const running = new Map();

/**
 * Run a script once per visit, if its bytes are those that the page was built with. What failed is tried again when
 * it is next asked for.
 *
 * @param {string} url
 * @param {string} sha256 hexadecimal
 * @returns {Promise<void>}
 */
export function loadScript(url, sha256) {
  const known = running.get(url) ?? run(url, sha256);
  running.set(url, known);
  known.catch(() => running.delete(url));
  return known;
}

/**
 * As an address, since the policy of the page lets nothing else be run.
 *
 * @param {string} url
 * @param {string} sha256
 * @returns {Promise<void>}
 */
function run(url, sha256) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const bytes = sha256.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
    Object.assign(script, { src: url, integrity: `sha256-${btoa(String.fromCharCode(...bytes))}` });
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(`${url} is missing or altered`));
    };
    document.head.append(script);
  });
}
