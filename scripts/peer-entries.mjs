import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// Makes two small modules for each entry point with optional peers, one for `import` and one for `require`, which has types. They report all
// missing packages before the real module is linked, which would report only the first. Bundlers use the real module by
// the condition "module" and report missing packages themselves. Bun knows that condition at runtime too, so it has its own.
const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));

const needed = new Set();
for (const [subpath, target] of Object.entries(manifest.exports)) {
  if (typeof target === "string") continue;
  const entry = subpath.replace(".", manifest.name);
  const types = typeof target.types === "string" ? target.types : target.types.default;
  const real = types.replace(/\.d\.ts$/, ".js");
  const peers = [...(await peersOf(join(root, real)))].toSorted((a, b) => (a < b ? -1 : 1));
  for (const peer of peers) needed.add(peer);
  const expected = targetsOf(subpath, types, real, peers);
  if (JSON.stringify(target) !== JSON.stringify(expected)) {
    throw new Error(
      `${entry} needs ${peers.join(", ") || "no peers"}, so package.json should export ${JSON.stringify(expected)} for it`,
    );
  }
  if (peers.length > 0) await writeEntries(entry, real, peers, expected);
}
const unused = Object.keys(manifest.peerDependencies).filter((peer) => !needed.has(peer));
if (unused.length > 0) throw new Error(`No entry point needs the peers ${unused.join(", ")}`);

function targetsOf(subpath, types, real, peers) {
  if (peers.length === 0) return { types, default: real };
  const made = `./dist/npm/entries/${subpath.slice("./".length).replaceAll("/", "-")}`;
  const checked = { require: `${made}.cjs`, default: `${made}.js` };
  // The module for `require` is CommonJS, so its types are too.
  return {
    types: { require: `${made}.d.cts`, default: types },
    bun: checked,
    module: real,
    ...checked,
  };
}

/** Finds the peers that a built module imports, directly or indirectly. */
async function peersOf(file, seen = new Set(), peers = new Set()) {
  if (seen.has(file)) return peers;
  seen.add(file);
  const imports =
    /^(?:import|(?:import|export)\b[^"';]*\bfrom)\s*["']([^"']+)["']|\bimport\(["']([^"']+)["']\)/gm;
  for (const [, fixed, late] of (await readFile(file, "utf8")).matchAll(imports)) {
    const specifier = fixed ?? late;
    if (specifier.startsWith(".")) await peersOf(join(dirname(file), specifier), seen, peers);
    else if (specifier in manifest.peerDependencies) peers.add(specifier);
  }
  return peers;
}

async function writeEntries(entry, real, peers, { require: cjs, default: esm }) {
  const names = Object.keys(await import(pathToFileURL(join(root, real)).href));
  const from = (file) => relative(dirname(esm), file);
  const check = from("dist/npm/adapters/peers.js");
  const listed = (load) =>
    peers.map((name) => {
      const range = manifest.peerDependencies[name];
      return `  { name: "${name}", range: "${range}", load: () => ${load}("${name}") },`;
    });
  await mkdir(join(root, dirname(esm)), { recursive: true });
  const imports = [
    `// Made by scripts/peer-entries.mjs.`,
    `import { needPeers } from "${check}";`,
    `await needPeers("${entry}", [`,
    ...listed("import"),
    `]);`,
    `export const { ${names.join(", ")} } = await import("${from(real)}");`,
    ``,
  ];
  const requires = [
    `// Made by scripts/peer-entries.mjs.`,
    `"use strict";`,
    `const { needPeersNow } = require("${check}");`,
    `needPeersNow("${entry}", [`,
    ...listed("require"),
    `], require.resolve);`,
    `module.exports = require("${from(real)}");`,
    ``,
  ];
  await writeFile(join(root, esm), imports.join("\n"));
  await writeFile(join(root, cjs), requires.join("\n"));
  await writeFile(join(root, cjs.replace(/\.cjs$/, ".d.cts")), `export * from "${from(real)}";\n`);
}
