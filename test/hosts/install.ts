import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

import { installed, npm, packed } from "../helpers/nested.ts";
import { KIT, type Host } from "./host.ts";
import { writeRecipe } from "./recipes.ts";

const ROOT = join(import.meta.dir, "../..");
const PROJECT = join(ROOT, "test/node/project");

/** Programs of the hosts: their own, then Node 24, then Bun. */
export const PROGRAMS: readonly string[] = [
  join(PROJECT, "node_modules/node24/bin"),
  dirname(process.execPath),
];

/** Outside the repository; one for each checkout, because each packs another petstore. */
const CACHE = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  `petstore-hosts-${Bun.hash(ROOT).toString(36)}`,
);

/**
 * Installs a host with its packages and the packed petstore in a folder of the cache, and builds it. Packages that are
 * there already are kept. Returns the folder.
 */
export async function installHost(host: Host): Promise<string> {
  const failure = await installed("test/node/project");
  if (failure !== undefined) throw new Error(failure);
  const tarball = await packed();
  const folder = join(CACHE, host.name);
  await copySources(host, folder);
  const packages = { ...host.packages, ...(await dependencies()) };
  const wanted = JSON.stringify(packages);
  const stamp = Bun.file(join(folder, "node_modules/.wanted"));
  if (!(await stamp.exists()) || (await stamp.text()) !== wanted) {
    await rm(join(folder, "node_modules"), { recursive: true, force: true });
    const named = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    const options = ["--no-save", "--no-package-lock", "--ignore-scripts", "--prefer-offline"];
    const lacks = await npm(["install", ...options, ...named], folder);
    if (lacks !== undefined) throw new Error(`npm install failed in ${folder}: ${lacks}`);
    await Bun.write(stamp, wanted);
  }
  await addPetstore(folder, tarball);
  await build(host, folder, await Bun.file(tarball).bytes());
  return folder;
}

/**
 * Puts a host among the packages of `test/node/project`, which has those of the hosts that `npm test` runs. Returns its
 * folder.
 */
export async function placeHost(host: Host): Promise<string> {
  const modules = join(PROJECT, "node_modules");
  const folder = join(modules, ".hosts", host.name);
  await copySources(host, folder);
  await cp(KIT, join(modules, "petstore-host-kit"), { recursive: true });
  return folder;
}

async function copySources(host: Host, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const kept = new Set(["node_modules", ".built", ...host.output]);
  for (const name of await readdir(folder)) {
    if (!kept.has(name)) await rm(join(folder, name), { recursive: true });
  }
  for (const sources of host.folders) await cp(sources, folder, { recursive: true });
  if (host.recipe !== undefined) await writeRecipe(host.recipe, folder);
}

async function dependencies(): Promise<Readonly<Record<string, string>>> {
  return (await Bun.file(join(ROOT, "package.json")).json()).dependencies;
}

async function addPetstore(folder: string, tarball: string): Promise<void> {
  const modules = join(folder, "node_modules");
  const petstore = join(modules, "petstore");
  await rm(petstore, { recursive: true, force: true });
  await mkdir(petstore, { recursive: true });
  const unpack = ["tar", "-xzf", tarball, "-C", petstore, "--strip-components=1"];
  const { exitCode, stderr } = Bun.spawnSync(unpack, { stderr: "pipe" });
  if (exitCode !== 0) throw new Error(stderr.toString());
  await cp(KIT, join(modules, "petstore-host-kit"), { recursive: true });
}

/** Runs the build step, unless its sources, packages and petstore are those of the last one. */
async function build(host: Host, folder: string, tarball: Uint8Array): Promise<void> {
  if (host.build === undefined) return;
  const hash = new Bun.CryptoHasher("sha256").update(tarball).update(JSON.stringify(host));
  for (const base of [...host.folders, KIT]) {
    for await (const file of new Bun.Glob("**/*").scan({ cwd: base, dot: true })) {
      hash.update(file).update(await Bun.file(join(base, file)).bytes());
    }
  }
  const wanted = hash.digest("hex");
  const built = Bun.file(join(folder, ".built"));
  if ((await built.exists()) && (await built.text()) === wanted) return;
  const child = Bun.spawn(["sh", "-c", host.build], {
    cwd: folder,
    env: environment(folder),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`The build of ${host.name} failed:\n${out}${err}`);
  await Bun.write(built, wanted);
}

/** The environment of a host's commands. */
export function environment(folder: string): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR = "/tmp" } = process.env;
  const path = [join(folder, "node_modules/.bin"), ...PROGRAMS, PATH].join(":");
  return {
    PATH: path,
    HOME,
    TMPDIR,
    NODE_ENV: "production",
    // The leak rig collects garbage before it measures.
    NODE_OPTIONS: "--expose-gc",
    // These report to their makers otherwise.
    NEXT_TELEMETRY_DISABLED: "1",
    ASTRO_TELEMETRY_DISABLED: "1",
    DENO_NO_UPDATE_CHECK: "1",
  };
}
