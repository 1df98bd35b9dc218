import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import { lockedPackages } from "./bundled.ts";

const ROOT = join(import.meta.dir, "../..");
const CACHE = join(ROOT, "node_modules/.cache/runtimes");

/** A system that releases are built for. */
export interface ReleaseTarget {
  /** In the names of files: `linux-x64`. */
  readonly name: string;
  /** The package of its runtime, which the lock file pins. */
  readonly runtime: string;
  readonly executable: "petstore" | "petstore.exe";
}

/**
 * macOS on Intel is missing: the bundler leaves the signature of the runtime in the executable, which then no longer
 * matches. On a Mac, `codesign --force --sign -` signs one that is compiled there.
 */
export const releaseTargets: readonly ReleaseTarget[] = [
  { name: "linux-x64", runtime: "bun-linux-x64", executable: "petstore" },
  { name: "linux-arm64", runtime: "bun-linux-aarch64", executable: "petstore" },
  { name: "darwin-arm64", runtime: "bun-darwin-aarch64", executable: "petstore" },
  { name: "windows-x64", runtime: "bun-windows-x64", executable: "petstore.exe" },
];

/** Returns the path of a runtime from the npm registry, whose package has the hash of the lock file. */
export async function runtimeOf({ runtime }: ReleaseTarget): Promise<string> {
  const locked = (await lockedPackages())[`node_modules/@oven/${runtime}`];
  if (locked === undefined) throw new Error(`The lock file does not have @oven/${runtime}.`);
  const { version, integrity } = locked;
  const folder = join(CACHE, `${runtime}-${version}`);
  const path = join(folder, "package/bin", runtime.includes("windows") ? "bun.exe" : "bun");
  if (await Bun.file(path).exists()) return path;
  await mkdir(CACHE, { recursive: true });
  const scratch = await mkdtemp(join(CACHE, "unpacking-"));
  try {
    const packed = ["npm", "pack", `@oven/${runtime}@${version}`, "--silent"];
    const name = (await output([...packed, "--pack-destination", scratch])).trim();
    const archive = join(scratch, name);
    const hash = createHash("sha512").update(await Bun.file(archive).bytes());
    if (`sha512-${hash.digest("base64")}` !== integrity) {
      throw new Error(`@oven/${runtime}@${version} is not the package of the lock file.`);
    }
    await output(["tar", "-xzf", archive, "-C", scratch]);
    await rm(archive);
    // Another build may have put it there.
    await rename(scratch, folder).catch(async (error: unknown) => {
      if (!(await Bun.file(path).exists())) throw error;
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return path;
}

/** Runs a program and returns its output; throws if it fails. */
export async function output(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed.`);
  return text;
}
