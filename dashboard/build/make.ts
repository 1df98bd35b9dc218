import { makeAsset } from "../make-asset.ts";
import { PROGRAM, type Bundle } from "../asset.ts";
import type { BunPlugin } from "bun";

/** Addresses of the page's assets. */
export interface PageParts {
  readonly script: string;
  /** Modules that the script imports. */
  readonly preload: readonly string[];
  /** Runs before the first paint to set theme and language. */
  readonly paint: string;
  readonly style: string;
  readonly icon: string;
}

/** Shown when scripts or texts do not load. No catalogue is available yet, so CSS selects the language. */
const late = `<p lang="en">This is taking longer than expected. If nothing changes, reload the page.</p>
<p lang="de">Das dauert länger, als es sollte. Wenn sich nichts tut, laden Sie die Seite neu.</p>`;

/** Writes the HTML page of all views of the dashboard. */
function pageHtml({ script, preload, paint, style, icon }: PageParts): string {
  return `<!doctype html>
<html lang="en" data-program="${PROGRAM}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Petstore</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
<link rel="stylesheet" href="${style}">
<script src="${paint}"></script>
<script type="module" src="${script}"></script>
${preload.map((path) => `<link rel="modulepreload" href="${path}">\n`).join("")}</head>
<body>
<div id="app"><noscript><p class="noscript">The dashboard requires JavaScript. Commands offer the same functions: <code>${PROGRAM} --help</code></p></noscript><div class="late">${late}</div></div>
</body>
</html>
`;
}

/** Removes the titles from the table of problems, since no page shows them and every visitor would load them. */
const withoutTitles: BunPlugin = {
  name: "without titles",
  setup: (build) => {
    build.onLoad({ filter: /lib\/base\/problem\.ts$/ }, async ({ path }) => {
      const source = await Bun.file(path).text();
      return { loader: "ts", contents: source.replaceAll(/,\s+title: "[^"]*"/g, "") };
    });
  },
};

/** Builds the dashboard from `app/` and writes it to standard output as JSON. */
const APP = `${import.meta.dir}/../app`;
const PUBLIC = "/assets/";

const shared = {
  target: "browser",
  minify: true,
  // The development runtime would add five unused arguments to every element.
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
  // A single script without imports, since it blocks the first paint.
  await Bun.build({ ...shared, entrypoints: [`${APP}/paint.ts`], format: "iife" }),
].flatMap(({ outputs }) => outputs);

const assets = await Promise.all(
  built
    // Drop the bundler's script for the icon.
    .filter(({ path }) => !/icon-\w+\.js$/.test(path))
    .map(async (output) => {
      const name = output.path.replace(/^\.\//, "");
      return makeAsset(PUBLIC + name, new Uint8Array(await output.arrayBuffer()), true);
    }),
);

/** Finds the output of an entry point. */
const entry = (pattern: RegExp): string => {
  const found = built.find(({ path, kind }) => kind !== "chunk" && pattern.test(path));
  if (found === undefined) throw new Error(`no output matches ${pattern}`);
  return PUBLIC + found.path.replace(/^\.\//, "");
};

const script = entry(/\bmain-\w+\.js$/);
const page = pageHtml({
  script,
  preload: await importsOf(script),
  paint: entry(/\bpaint-\w+\.js$/),
  style: entry(/\bmain-\w+\.css$/),
  icon: entry(/\bicon-\w+\.svg$/),
});
const bundle: Bundle = { assets, page };
process.stdout.write(JSON.stringify(bundle));

/** Finds the imports of a script, which the page preloads. */
async function importsOf(path: string): Promise<readonly string[]> {
  const output = built.find((one) => PUBLIC + one.path.replace(/^\.\//, "") === path);
  const code = (await output?.text()) ?? "";
  const named = Array.from(code.matchAll(/(?:from|import)"([^"]+)"/g), ([, name = ""]) => name);
  return [...new Set(named)].filter((name) => name.startsWith(PUBLIC));
}
