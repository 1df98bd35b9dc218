import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const ROOT = join(import.meta.dir, "../..");

/** The program, and what it embeds: the scripts of the pages, which another process bundles. */
const ROOTS = [
  "server.ts",
  "dashboard/build/make.ts",
  "dashboard/build/make-guides.ts",
  "dashboard/app/main.tsx",
  "dashboard/app/paint.ts",
  "dashboard/guides/paint.ts",
  "dashboard/reference/script/main.ts",
  "dashboard/help/script/main.ts",
];

const transpilers = {
  ts: new Bun.Transpiler({ loader: "ts" }),
  // The classic form adds no import of its own.
  tsx: new Bun.Transpiler({ loader: "tsx", tsconfig: { compilerOptions: { jsx: "react" } } }),
};

interface Contents {
  /** Directories of our sources. */
  readonly directories: ReadonlySet<string>;
  /** Packages that our sources import. */
  readonly packages: ReadonlySet<string>;
}

/** Follows all imports of the program and of the pages in it. */
export async function contents(): Promise<Contents> {
  const files = new Set(ROOTS.map((path) => join(ROOT, path)));
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

/** Returns the package of a module: `@scope/name/part` belongs to `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** A package as the lock file has it. */
export interface Package {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** `sha512-…` in base64. */
  readonly integrity: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Returns the entries of the lock file, by their directories. */
export async function lockedPackages(): Promise<Readonly<Record<string, Omit<Package, "name">>>> {
  const lock: { readonly packages: Readonly<Record<string, Omit<Package, "name">>> } =
    await Bun.file(join(ROOT, "package-lock.json")).json();
  return lock.packages;
}

/** Returns the packages in the executable, with those that they depend on, by their directories. */
export async function bundledPackages(): Promise<ReadonlyMap<string, Package>> {
  const { packages } = await contents();
  const locked = await lockedPackages();
  const found = new Map<string, Package>();
  const add = (name: string, from: string): void => {
    // Like Node: the nearest directory counts.
    const own = `${from}/node_modules/${name}`;
    const path = from !== "" && own in locked ? own : `node_modules/${name}`;
    const known = locked[path];
    if (known === undefined || found.has(path)) return;
    found.set(path, { ...known, name });
    for (const dependency of Object.keys(known.dependencies ?? {})) add(dependency, path);
  };
  for (const name of packages) add(name, "");
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The licences of what the runtime contains, as its own list names them. */
const RUNTIME = `Bun, the runtime in them, is under the MIT licence (Copyright (c) Jarred Sumner and contributors). It contains
JavaScriptCore and parts of WebKit (LGPL 2) and tinycc (LGPL 2.1); their sources, and how to link Bun with
changed ones, are at https://github.com/oven-sh/WebKit and https://github.com/oven-sh/bun. It also contains
boringssl (OpenSSL, ISC and others), brotli (MIT), c-ares (MIT), highway (Apache-2.0), libarchive (BSD-2-Clause and
others), libbase64 (BSD-2-Clause), libdeflate (MIT), libicu (Unicode-3.0), libjpeg-turbo (BSD-3-Clause, IJG, Zlib),
libspng (BSD-2-Clause), libuv (MIT, on Windows), libwebp (BSD-3-Clause), lol-html (BSD-3-Clause), ls-hpack, ls-qpack
and lsquic (MIT), mimalloc (MIT), picohttpparser (MIT), simdutf (Apache-2.0), uSockets and uWebSockets (Apache-2.0),
uucode (MIT), zlib-ng (Zlib) and zstd (BSD-3-Clause). Their texts: https://bun.com/docs/project/license.`;

const HEAD = `The executable and the container image of petstore contain these packages, under the licences below.
\`npm run docs:update\` writes this file.

${RUNTIME}
`;

/** Writes the file with the licences of everything in the executable. */
export async function noticeText(): Promise<string> {
  const texts = new Map<string, string[]>();
  for (const [path, { name, version, license }] of await bundledPackages()) {
    const directory = join(ROOT, path);
    const files = existsSync(directory)
      ? readdirSync(directory).filter((file) => /^(licen[cs]e|copying)/i.test(file))
      : [];
    const own = await Promise.all(
      files.toSorted().map((file) => Bun.file(join(directory, file)).text()),
    );
    const text = own.length === 0 ? `${license} (the package has no text)` : own.join("\n").trim();
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const parts = [...texts].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
  return [HEAD, ...parts].join(`\n${"-".repeat(80)}\n\n`).replaceAll("\r\n", "\n");
}
