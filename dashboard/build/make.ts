import { makeAsset } from "./make-asset.ts";
import { pageHtml } from "./page-html.ts";
import { withoutTitles } from "./without-titles.ts";

import type { Bundle } from "../asset.ts";

/** Makes all that browsers get of the sources in `app/`, and writes it to standard output as JSON. */
const APP = `${import.meta.dir}/../app`;
const PUBLIC = "/assets/";

const shared = {
  target: "browser",
  minify: true,
  // By itself the bundler writes what is for developers: each element with five arguments that nobody reads.
  jsx: { runtime: "automatic", importSource: "preact", development: false },
  publicPath: PUBLIC,
  naming: {
    entry: "[name]-[hash].[ext]",
    chunk: "[name]-[hash].[ext]",
    asset: "[name]-[hash].[ext]",
  },
  loader: { ".svg": "file" },
} as const;

const built = [
  await Bun.build({
    ...shared,
    entrypoints: [`${APP}/main.tsx`, `${APP}/styles/main.css`, `${APP}/icon.svg`],
    splitting: true,
    plugins: [withoutTitles],
  }),
  // Whole and by itself: the browser waits for it before it paints.
  await Bun.build({ ...shared, entrypoints: [`${APP}/paint.ts`], format: "iife" }),
].flatMap(({ outputs }) => outputs);

const assets = await Promise.all(
  built
    // What stands for a picture in a script is of no use to anybody.
    .filter(({ path }) => !/icon-\w+\.js$/.test(path))
    .map(async (output) => {
      const name = output.path.replace(/^\.\//, "");
      return makeAsset(PUBLIC + name, new Uint8Array(await output.arrayBuffer()), true);
    }),
);

/** What was made of an entry point. */
const entry = (pattern: RegExp): string => {
  const found = built.find(({ path, kind }) => kind !== "chunk" && pattern.test(path));
  if (found === undefined) throw new Error(`nothing was made that is named ${pattern}`);
  return PUBLIC + found.path.replace(/^\.\//, "");
};

const script = entry(/\bmain-\w+\.js$/);
const html = pageHtml({
  script,
  preload: await importsOf(script),
  paint: entry(/\bpaint-\w+\.js$/),
  style: entry(/\bmain-\w+\.css$/),
  icon: entry(/\bicon-\w+\.svg$/),
});
const page = makeAsset("/index.html", new TextEncoder().encode(html), false);
const bundle: Bundle = { assets, page };
process.stdout.write(JSON.stringify(bundle));

/** What a script cannot begin without: fetched beside it, not after it. */
async function importsOf(path: string): Promise<readonly string[]> {
  const output = built.find((one) => PUBLIC + one.path.replace(/^\.\//, "") === path);
  const code = (await output?.text()) ?? "";
  const named = Array.from(code.matchAll(/(?:from|import)"([^"]+)"/g), ([, name = ""]) => name);
  return [...new Set(named)].filter((name) => name.startsWith(PUBLIC));
}
