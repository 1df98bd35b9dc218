import { mkdir, mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

import { oncePerRun } from "./once-per-run.ts";

const ROOT = join(import.meta.dir, "../..");
const STAMP = "node_modules/.installed-lock";

/**
 * Installs the package at `directory` from its lockfile, unless it is installed already.
 * Resolves with the reason if that fails; rejects instead with CI=true.
 */
export function installed(directory: string): Promise<string | undefined> {
  const once = oncePerRun(directory.replaceAll("/", "-"), () => install(directory));
  return once();
}

async function install(directory: string): Promise<string | undefined> {
  const cwd = join(ROOT, directory);
  const lock = await Bun.file(join(cwd, "package-lock.json")).text();
  const stamp = Bun.file(join(cwd, STAMP));
  if ((await stamp.exists()) && (await stamp.text()) === lock) return undefined;
  const failure = await npm(["ci", "--ignore-scripts", "--prefer-offline"], cwd);
  if (failure !== undefined) return excuse(`npm ci in ${directory} failed: ${failure}`);
  await Bun.write(stamp, lock);
  return undefined;
}

const HOSTS = "test/node/project";

/** Packs this repository once per run and returns the tarball's path. */
export const packed = oncePerRun("packed", pack);

/** Installs the frameworks and the packed package once per run, like a user. Resolves with the reason if it fails. */
export const hostsWithPackage = oncePerRun("hosts", installHosts);

async function installHosts(): Promise<string | undefined> {
  const lacking = await installed(HOSTS);
  if (lacking !== undefined) return lacking;
  const file = await packed();
  const options = ["--no-save", "--no-package-lock", "--ignore-scripts", "--prefer-offline"];
  const failure = await npm(["install", ...options, file], join(ROOT, HOSTS));
  return failure && excuse(`npm install of the package in ${HOSTS} failed: ${failure}`);
}

/** The project with the packages of the recipes in docs/. */
export const RECIPES: string = join(ROOT, "test/recipes/project");

/** Installs the packages of the recipes and the packed package. Resolves with the reason if it fails. */
export const recipesWithPackage = oncePerRun("recipes", async () => {
  const lacking = (await installed("test/recipes/project")) ?? (await hostsWithPackage());
  if (lacking !== undefined) return lacking;
  const link = join(RECIPES, "node_modules/petstore");
  await rm(link, { force: true });
  await symlink(join(ROOT, HOSTS, "node_modules/petstore"), link);
  return undefined;
});

/**
 * Installs one package, with `beside` it others such as `ioredis@6.0.0`, in a folder outside the repository, unless an earlier
 * run did: for packages that are too large for a lockfile of ours. Resolves with the folder, or with the reason why it is missing; rejects instead with CI=true.
 */
export async function installedApart(
  name: string,
  version: string,
  ...beside: readonly string[]
): Promise<{ readonly folder: string } | { readonly lacking: string }> {
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "petstore-tests");
  const folder = join(cache, [`${name}-${version}`, ...beside].join("+"));
  const present = async (): Promise<boolean> => Bun.file(join(folder, "package.json")).exists();
  if (await present()) return { folder };
  await mkdir(cache, { recursive: true });
  const part = await mkdtemp(`${folder}.part-`);
  try {
    await Bun.write(join(part, "package.json"), "{}");
    const options = ["--save-exact", "--no-package-lock", "--ignore-scripts", "--prefer-offline"];
    const failure = await npm(["install", ...options, `${name}@${version}`, ...beside], part);
    if (failure !== undefined) {
      return { lacking: excuse(`npm install ${name}@${version} failed: ${failure}`) };
    }
    // Another run may have been faster.
    await rename(part, folder).catch(async (error: unknown) => {
      if (!(await present())) throw error;
    });
    return { folder };
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/** Installs Miniflare, which has workerd. */
export const installedMiniflare = () => installedApart("miniflare", "4.20260730.0");

/** Returns the reason to skip; throws where skipping is not allowed. */
function excuse(reason: string): string {
  if (process.env["CI"] === "true") throw new Error(reason);
  return reason;
}

async function pack(): Promise<string> {
  const failure = await npm(["pack", "--pack-destination", "dist"], ROOT);
  if (failure !== undefined) throw new Error(`npm pack failed: ${failure}`);
  const manifest: { readonly name: string; readonly version: string } = await Bun.file(
    join(ROOT, "package.json"),
  ).json();
  return join(ROOT, "dist", `${manifest.name}-${manifest.version}.tgz`);
}

/** Runs npm. Resolves with the start of its output if it fails. */
export async function npm(args: readonly string[], cwd: string): Promise<string | undefined> {
  const child = Bun.spawn(["npm", ...args, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return code === 0 ? undefined : `${err}${out}`.trim().split("\n").slice(0, 3).join(" ");
}
