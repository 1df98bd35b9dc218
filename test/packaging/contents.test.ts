import { expect, test } from "bun:test";

import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const transpilers = {
  ts: new Bun.Transpiler({ loader: "ts" }),
  tsx: new Bun.Transpiler({ loader: "tsx" }),
};

interface Contents {
  /** Directories of our sources. */
  readonly directories: ReadonlySet<string>;
  /** Packages that our sources import. */
  readonly packages: ReadonlySet<string>;
}

/** Follows all imports from `server.ts`. */
async function contents(): Promise<Contents> {
  const files = new Set([join(ROOT, "server.ts")]);
  const packages = new Set<string>();
  for (const file of files) {
    if (!/\.tsx?$/.test(file)) continue;
    const source = (await Bun.file(file).text()).replace(/^#!.*/, "");
    for (const { path } of transpilers[file.endsWith("x") ? "tsx" : "ts"].scanImports(source)) {
      if (path.startsWith(".")) files.add(resolve(dirname(file), path));
      else if (!/^(node|bun):|^bun$/.test(path)) packages.add(packageOf(path));
    }
  }
  const tops = [...files].map((file) => relative(ROOT, file).split("/"));
  const directories = new Set(tops.filter((parts) => parts.length > 1).map(([top = ""]) => top));
  return { directories, packages };
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

test("the container is built from every directory that the program imports", async () => {
  const { directories } = await contents();
  const dockerfile = await Bun.file(join(ROOT, "Dockerfile")).text();
  const ignored = await Bun.file(join(ROOT, ".dockerignore")).text();
  expect(directories.size).toBeGreaterThan(6);
  for (const directory of directories) {
    expect(dockerfile).toContain(`\nCOPY ${directory} ${directory}\n`);
    expect(ignored).toContain(`\n!${directory}\n`);
  }
});

interface Package {
  readonly version: string;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Returns the packages in the executable, with those that they depend on, by their directories. */
async function bundled(): Promise<ReadonlyMap<string, Package>> {
  const { packages } = await contents();
  const lock: { readonly packages: Readonly<Record<string, Package>> } = await Bun.file(
    join(ROOT, "package-lock.json"),
  ).json();
  const found = new Map<string, Package>();
  const add = (name: string, from: string): void => {
    // Like Node: the nearest directory counts.
    const own = `${from}/node_modules/${name}`;
    const path = from !== "" && own in lock.packages ? own : `node_modules/${name}`;
    const known = lock.packages[path];
    if (known === undefined || found.has(path)) return;
    found.set(path, known);
    for (const dependency of Object.keys(known.dependencies ?? {})) add(dependency, path);
  };
  for (const name of packages) add(name, "");
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Licences that only ask for a notice. */
const FREE = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "0BSD",
  "Unlicense",
  "BlueOak-1.0.0",
]);

const HEAD = `The executable and the container image of petstore contain these packages, under the licences below.
Bun, the runtime in them, lists its own at https://bun.com/docs/project/license.
\`npm run docs:update\` writes this file.
`;

test("NOTICE has the licence of every package in the executable", async () => {
  const texts = new Map<string, string[]>();
  for (const [path, { version, license }] of await bundled()) {
    const choices = license.replaceAll(/[()]/g, "").split(" OR ");
    expect([path, choices.some((one) => FREE.has(one))]).toEqual([path, true]);
    const directory = join(ROOT, path);
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const files = existsSync(directory)
      ? readdirSync(directory).filter((file) => /^(licen[cs]e|copying)/i.test(file))
      : [];
    const own = await Promise.all(
      files.toSorted().map((file) => Bun.file(join(directory, file)).text()),
    );
    const text = own.length === 0 ? `${license} (the package has no text)` : own.join("\n").trim();
    const about = `${name} ${version} (${license})`;
    texts.set(text, [...(texts.get(text) ?? []), about]);
  }
  const parts = [...texts].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
  const written = [HEAD, ...parts].join(`\n${"-".repeat(80)}\n\n`).replaceAll("\r\n", "\n");
  const path = join(ROOT, "NOTICE");
  if (process.env["UPDATE_DOCS"] === "1") await Bun.write(path, written);
  expect(await Bun.file(path).text()).toBe(written);
});
