import type { Guides } from "../guides/guides.ts";
import { makeHelp } from "../help/make-help.ts";
import { darkBySystem } from "./dark-by-system.ts";
import { makeAsset } from "../make-asset.ts";

/** Builds the reference and the help, and writes them to standard output as JSON. */
const ROOT = `${import.meta.dir}/..`;
const PUBLIC = "/docs/assets/";

interface Entry {
  readonly source: string;
  readonly name: string;
  /** A single script without imports, since it blocks the first paint. */
  readonly whole?: boolean;
}

const entries: readonly Entry[] = [
  { source: "guides/styles/main.css", name: "guides" },
  { source: "guides/paint.ts", name: "paint", whole: true },
  { source: "reference/script/main.ts", name: "reference" },
  { source: "help/script/main.ts", name: "help" },
  { source: "guides/search/main.ts", name: "search" },
];

const made = await Promise.all(entries.map(make));
const icon = makeAsset(
  `${PUBLIC}icon.svg`,
  new Uint8Array(await Bun.file(`${ROOT}/app/icon.svg`).arrayBuffer()),
  false,
);
const [style, paint, referenceScript, helpScript, search] = made.map(({ path }) => path);
if (!style || !paint || !referenceScript || !helpScript || !search) {
  throw new Error("A part of the guides was not built.");
}
const parts = { style, paint, icon: icon.path, referenceScript, helpScript, search };
const guides: Guides = { assets: [...made, icon], parts, ...(await makeHelp(parts)) };
process.stdout.write(JSON.stringify(guides));

async function make({ source, name, whole = false }: Entry): Promise<ReturnType<typeof makeAsset>> {
  const built = await Bun.build({
    entrypoints: [`${ROOT}/${source}`],
    target: "browser",
    minify: true,
    format: whole ? "iife" : "esm",
  });
  const [output] = built.outputs;
  if (output === undefined) throw new Error(`no output for ${source}`);
  const isStyle = source.endsWith(".css");
  const text = await output.text();
  const bytes = new TextEncoder().encode(isStyle ? darkBySystem(text) : text);
  const hash = Bun.hash(bytes).toString(36).slice(0, 8);
  return makeAsset(`${PUBLIC}${name}-${hash}.${isStyle ? "css" : "js"}`, bytes, true);
}
