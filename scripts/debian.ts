import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";

/** A program that some tests run and the Debian package that brings it. */
export interface Tool {
  readonly command: string;
  readonly debianPackage: string;
  /** Further packages that it needs to be of use. */
  readonly besides?: readonly string[];
}

/**
 * Installs what is missing of `tools`, where that is possible: as root, with apt.
 * Returns why it could not be had, or undefined when everything is there.
 */
export async function ensureTools(tools: readonly Tool[]): Promise<string | undefined> {
  const missing = missingOf(tools);
  if (missing.length === 0) return undefined;
  const names = missing.flatMap(({ debianPackage, besides = [] }) => [debianPackage, ...besides]);
  const wanted = `needs the Debian package${names.length > 1 ? "s" : ""} ${names.join(", ")}`;
  if (process.getuid?.() !== 0) return `${wanted}, and only root can install`;
  if (Bun.which("apt-get") === null) return `${wanted}, and there is no apt-get`;
  console.log(`installing ${names.join(", ")}`);
  await withoutServices(() => installed(names));
  return missingOf(tools).length === 0 ? undefined : `${wanted}, which apt-get could not install`;
}

function missingOf(tools: readonly Tool[]): readonly Tool[] {
  return tools.filter((tool) => Bun.which(tool.command) === null);
}

async function installed(packages: readonly string[]): Promise<void> {
  const install = ["install", "-y", "-qq", "--no-install-recommends", ...packages];
  // The lists of a fresh machine are empty or too old to name files that still exist.
  if (!(await aptGet(install))) {
    await aptGet(["update", "-qq"]);
    await aptGet(install);
  }
}

async function aptGet(args: readonly string[]): Promise<boolean> {
  const child = Bun.spawn(["apt-get", ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "ignore", "ignore"],
    timeout: 180_000,
  });
  return (await child.exited) === 0;
}

const POLICY = "/usr/sbin/policy-rc.d";

/** Debian starts the services that it installs, unless this file says no. */
async function withoutServices(act: () => Promise<void>): Promise<void> {
  if (existsSync(POLICY)) return act();
  await writeFile(POLICY, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    await act();
  } finally {
    await rm(POLICY, { force: true });
  }
}
