// node server.mjs <cache folder> <folder>...
// Serves folders from this machine as four kinds of hosting would, each on a port of its own, and prints the ports.
// Everything is compressed at its first request, so that after one visit what is measured is not the server.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [cache, ...folders] = process.argv.slice(2);
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};
const FOR_EVER = "public, max-age=31536000, immutable";
const TEN_MINUTES = "max-age=600";
// GitHub Pages is taken to compress text and WebAssembly with gzip, and to let everything be kept for ten minutes.
const HOSTS = {
  identity: { keep: FOR_EVER, encode: () => "identity" },
  gzip: { keep: FOR_EVER, encode: () => "gzip" },
  brotli: { keep: FOR_EVER, encode: () => "br" },
  pages: { keep: TEN_MINUTES, encode: (type) => (type === "application/octet-stream" ? "identity" : "gzip") },
};
const ENCODERS = {
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
  br: (bytes) =>
    brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
    }),
};

/** A file and how it is sent; what it is compressed to is kept in the cache folder, for that takes long. */
class Served {
  bodies = {};

  constructor(file) {
    this.bytes = readFileSync(file);
    this.hash = createHash("sha256").update(this.bytes).digest("hex");
    this.etag = `"${this.hash.slice(0, 16)}"`;
    this.type = TYPES[path.extname(file)] ?? "application/octet-stream";
  }

  body(encoding) {
    this.bodies[encoding] ??= encoding === "identity" ? this.bytes : this.#compressed(encoding);
    return this.bodies[encoding];
  }

  #compressed(encoding) {
    const kept = path.join(cache, `${this.hash}.${encoding}`);
    if (!existsSync(kept)) writeFileSync(kept, ENCODERS[encoding](this.bytes));
    return readFileSync(kept);
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

mkdirSync(cache, { recursive: true });
const files = new Map();
for (const folder of folders) {
  for (const file of filesBelow(folder)) {
    const address = `/${path.relative(folder, file).split(path.sep).join("/")}`;
    files.set(address.replace(/\/index\.html$/, "/"), new Served(file));
  }
}

function serve({ keep, encode }) {
  let sent = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://here");
    if (pathname === "/sent") {
      response.end(JSON.stringify(sent));
      sent = [];
      return;
    }
    const file = files.get(pathname);
    if (!file) return response.writeHead(404).end();
    const kept = pathname.endsWith("/") ? "no-cache" : keep;
    const headers = { "Content-Type": file.type, "Cache-Control": kept, ETag: file.etag };
    if (request.headers["if-none-match"] === file.etag) return response.writeHead(304, headers).end();
    const encoding = encode(file.type);
    const body = file.body(encoding);
    if (encoding !== "identity") headers["Content-Encoding"] = encoding;
    sent.push([pathname, body.length]);
    response.writeHead(200, { ...headers, "Content-Length": body.length }).end(body);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
}

const ports = {};
for (const [name, host] of Object.entries(HOSTS)) ports[name] = await serve(host);
console.log(JSON.stringify(ports));
