import { expect, test } from "bun:test";

import { dirname, join, normalize } from "node:path";

import { publicEntries } from "./helpers/entries.ts";

const ROOT = join(import.meta.dir, "..");

/** From bottom to top: a file imports from its own part and the floors below, so not from the other parts of its floor. */
const FLOORS = [
  ["lib/base/"],
  ["lib/sql/", "lib/catalogue/model"],
  ["lib/model/"],
  ["lib/storage/"],
  ["lib/catalogue/", "lib/accounts/"],
  ["lib/mail/", "lib/http/", "lib/publishing/blobs.ts"],
  ["lib/photos/"],
  ["lib/catalogue/routes/", "lib/accounts/routes/public/"],
  ["lib/"],
  ["lib/publishing/"],
  ["lib/management/"],
  [
    "lib/accounts/routes/",
    "lib/photos/routes/",
    "lib/publishing/routes/",
    "lib/members/",
    "lib/enquiries/",
    "lib/webhooks/",
    "lib/audit/",
    "lib/requests/",
    "lib/import/",
  ],
  ["lib/management/endpoints.ts"],
  ["lib/management/client", "lib/management/create-management.ts"],
  ["server/checks/facts.ts"],
  [
    "lib/management/index.ts",
    "testing/",
    "adapters/",
    "domains/model/",
    "backup/model/",
    "server/checks/words.ts",
  ],
  ["domains/ports/", "transfer/model/"],
  ["domains/"],
  ["testing/domains/", "dashboard/", "settings/"],
  ["backup/"],
  ["transfer/"],
  ["server/"],
  ["cli/"],
  ["server.ts"],
];

/** The entry points for embedders. The program uses only these, as their example. */
const PUBLIC = new Set(publicEntries().map(({ source }) => source));

interface Import {
  readonly from: string;
  /** A path from the repository root if `ours`; otherwise a module name. */
  readonly to: string;
  readonly ours: boolean;
}

const files = await listed();
const imports = (await Promise.all(files.filter((file) => /\.tsx?$/.test(file)).map(read))).flat();
const product = imports.filter(({ from }) => partOf(from) !== undefined);

test("imports stay in their part or go down, including type imports", () => {
  const astray = product.filter(
    ({ from, to, ours }) => ours && partOf(to) !== partOf(from) && floorOf(to) >= floorOf(from),
  );
  expect(astray).toEqual([]);
});

test("shipped code imports nothing from tests, bench and scripts", () => {
  const astray = product.filter(({ to, ours }) => ours && partOf(to) === undefined);
  expect(astray.filter(({ to }) => to !== "package.json")).toEqual([]);
});

test("the program uses only the library's public entries and its base modules", () => {
  const program = ["settings/", "server/", "cli/", "server.ts"];
  const used = product.filter(
    ({ from, to }) => program.some((part) => from.startsWith(part)) && to.startsWith("lib/"),
  );
  expect(used.filter(({ to }) => !PUBLIC.has(to) && !to.startsWith("lib/base/"))).toEqual([]);
});

test("a third-party package is imported in one file", () => {
  const importers = new Map<string, Set<string>>();
  for (const { from, to, ours } of product) {
    if (ours || /^(node|bun):|^bun$/.test(to)) continue;
    // JSX is a language for the views, like TypeScript.
    if (
      from.startsWith("dashboard/app/") &&
      /^(preact|preact-iso|@preact\/signals)(\/|$)/.test(to)
    ) {
      continue;
    }
    const name = /^(@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to;
    importers.set(name, (importers.get(name) ?? new Set()).add(from));
  }
  const spread = [...importers].filter(([, from]) => from.size > 1);
  expect(spread).toEqual([]);
});

test("texts are normalized by the one function that bounds the time", async () => {
  const own = /^(?:lib|domains|server|cli)\//;
  const direct: string[] = [];
  for (const file of files.filter((name) => own.test(name) && name.endsWith(".ts"))) {
    if ((await Bun.file(join(ROOT, file)).text()).includes(".normalize(")) direct.push(file);
  }
  expect(direct.toSorted()).toEqual([
    "lib/base/normalized.ts",
    // Passwords have at most 1,000 characters, and their hashes depend on the form.
    "lib/members/model/password-rule.ts",
    "lib/members/model/tries.ts",
    "lib/members/passwords.ts",
  ]);
});

test("every relative import has its extension", () => {
  const bare = imports.filter(({ to, ours }) => ours && !/\.\w+$/.test(to));
  expect(bare).toEqual([]);
});

test("no file mentions the folders beside the checkout", async () => {
  const beside = new RegExp(String.raw`\.\./(shared|\.library)\b|/work/(shared|\.library|main)\b`);
  const speaking: string[] = [];
  for (const file of files) {
    if (beside.test(await Bun.file(join(ROOT, file)).text())) speaking.push(file);
  }
  expect(speaking).toEqual([]);
});

/** Returns the part with the longest matching path: `lib/http/` before `lib/`. */
function partOf(path: string): string | undefined {
  const parts = FLOORS.flat().filter((part) => path.startsWith(part));
  return parts.toSorted((a, b) => b.length - a.length)[0];
}

/** Returns the number of the floor of a file; -1 if it has none. */
function floorOf(path: string): number {
  const part = partOf(path);
  return FLOORS.findIndex((parts) => parts.some((one) => one === part));
}

/** Returns the files that git tracks or would track. */
async function listed(): Promise<readonly string[]> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const child = Bun.spawn(["git", ...args], { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const names = (await new Response(child.stdout).text()).split("\n");
  const present = names.map(async (name) => (await Bun.file(join(ROOT, name)).exists()) && name);
  return (await Promise.all(present)).filter((name) => name !== false);
}

/** Returns the imports of a file, including type imports, which many parsers erase. */
async function read(from: string): Promise<readonly Import[]> {
  const lines = (await Bun.file(join(ROOT, from)).text()).split("\n");
  const code = lines.filter((line) => !/^\s*(\/\/|\/?\*)/.test(line)).join("\n");
  const specifiers = code.matchAll(/\b(?:from|import)\s*\(?\s*"([^"\n]+)"/g);
  return Array.from(specifiers, ([, specifier = ""]) => {
    const ours = specifier.startsWith(".");
    return { from, ours, to: ours ? normalize(join(dirname(from), specifier)) : specifier };
  });
}
