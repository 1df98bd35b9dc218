import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { rollup } from "rollup";

// Joins the built modules, so that a process opens few files. Each entry point stays a file of its own; what several of them share is
// in `chunks`, once, so that an error's class is the same in all. Names and lines stay readable for stack traces.
const root = fileURLToPath(new URL("..", import.meta.url));
const built = join(root, "dist/npm");
const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));

/** A module belongs to the first of these that needs it. So a bundler that takes the client does not get the service. */
const layers = {
  webhook: "lib/client/webhook.js",
  client: "lib/client/client.js",
  core: "lib/petstore.js",
  memory: "lib/storage/memory.js",
  library: "lib/index.js",
};

const entries = Object.values(manifest.exports)
  .filter((target) => typeof target !== "string")
  .map(({ types }) => (typeof types === "string" ? types : types.default))
  .map((types) => types.replace("./dist/npm/", "").replace(/\.d\.ts$/, ""));
// Scripts of the package import it beside the entry point that it checks (scripts/peer-entries.mjs).
entries.push("adapters/peers");

/** The modules that a module needs, itself included. */
const closures = new Map();
const bundle = await rollup({
  input: Object.fromEntries(entries.map((name) => [name, join(built, `${name}.js`)])),
  // Those of node, Bun and the packages.
  external: (id) => !/^[./]/.test(id),
  treeshake: { moduleSideEffects: "no-external" },
  onLog: (level, { message }) => {
    throw new Error(`rollup: ${level}: ${message}`);
  },
});
const { output } = await bundle.generate({
  format: "es",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  hoistTransitiveImports: false,
  manualChunks: layerOf,
});
for (const name of await readdir(built, { recursive: true })) {
  if (name.endsWith(".js")) await rm(join(built, name));
}
for (const { fileName, code } of output) {
  await mkdir(dirname(join(built, fileName)), { recursive: true });
  await writeFile(join(built, fileName), code);
}

/** Returns the layer of a module: the first whose module needs it. */
function layerOf(id, { getModuleInfo }) {
  const layer = Object.keys(layers).find((name) => closureOf(join(built, layers[name])).has(id));
  // Bundlers put all that late code needs from a chunk into the first load, if an entry point refers to the chunk. So late code
  // needs nothing from the library's, and what it shares with the library is apart, except what the entry point exports.
  if (layer !== "library" || !loadedLate().has(id)) return layer;
  return getModuleInfo(join(built, layers.library)).importedIds.includes(id) ? "core" : "late";

  /** Returns the modules that the core loads on demand, and what these load. */
  function loadedLate() {
    const late = new Set();
    const loading = new Set([join(built, layers.core)]);
    for (const one of loading) {
      for (const needed of closureOf(one)) {
        late.add(needed);
        for (const next of getModuleInfo(needed).dynamicallyImportedIds) loading.add(next);
      }
    }
    return late;
  }

  function closureOf(file) {
    const known = closures.get(file);
    if (known !== undefined) return known;
    const needed = new Set([file]);
    for (const one of needed) for (const next of getModuleInfo(one).importedIds) needed.add(next);
    closures.set(file, needed);
    return needed;
  }
}
