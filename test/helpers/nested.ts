import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const STAMP = "node_modules/.installed-lock";

/**
 * Installs the package at `directory`, by its own lockfile, unless it is installed so already.
 * Resolves with the reason when that cannot be done here; with CI=true it rejects instead.
 */
export async function installed(directory: string): Promise<string | undefined> {
  const cwd = join(ROOT, directory);
  const lock = await Bun.file(join(cwd, "package-lock.json")).text();
  const stamp = Bun.file(join(cwd, STAMP));
  if ((await stamp.exists()) && (await stamp.text()) === lock) return undefined;
  const failure = await npm(["ci", "--ignore-scripts"], cwd);
  if (failure === undefined) {
    await Bun.write(stamp, lock);
    return undefined;
  }
  const reason = `npm ci in ${directory} failed: ${failure}`;
  if (process.env["CI"] === "true") throw new Error(reason);
  return reason;
}

let tarball: Promise<string> | undefined;

/** The path of what `npm pack` makes of this repository, built anew once per test run. */
export function packed(): Promise<string> {
  tarball ??= pack();
  return tarball;
}

async function pack(): Promise<string> {
  const failure = await npm(["pack", "--pack-destination", "dist"], ROOT);
  if (failure !== undefined) throw new Error(`npm pack failed: ${failure}`);
  const manifest: { readonly name: string; readonly version: string } = await Bun.file(
    join(ROOT, "package.json"),
  ).json();
  return join(ROOT, "dist", `${manifest.name}-${manifest.version}.tgz`);
}

/** Puts the packed package into `directory`, as a user would; its lockfile stays as it is. */
export async function addPacked(directory: string): Promise<void> {
  const args = ["install", "--no-save", "--no-package-lock", "--ignore-scripts", await packed()];
  const failure = await npm(args, join(ROOT, directory));
  if (failure !== undefined) throw new Error(`npm install of the tarball failed: ${failure}`);
}

async function npm(args: readonly string[], cwd: string): Promise<string | undefined> {
  const child = Bun.spawn(["npm", ...args, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return code === 0 ? undefined : `${err}${out}`.trim().slice(-2_000);
}
