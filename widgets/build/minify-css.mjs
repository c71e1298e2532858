// node minify-css.mjs <entry> <output>
import { build } from "esbuild";

const [entry, outfile] = process.argv.slice(2);
await build({ entryPoints: [entry], outfile, minify: true, charset: "utf8", logLevel: "error" });
