import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";

/** What some tests need beyond `npm ci`, and the Debian package that brings it. */
export interface Tool {
  /** Absent where the package brings no program, as those of fonts: then the package itself is asked for. */
  readonly command?: string;
  readonly debianPackage: string;
}

/** What a machine has. */
export interface Machine {
  readonly hasCommand: (command: string) => boolean;
  /** Undefined where there is no `dpkg` to ask. */
  readonly hasPackage: (debianPackage: string) => boolean | undefined;
}

/** The packages of `tools` that a machine lacks, each once. A package that nothing can be asked about is taken to be there. */
export function missingOf(tools: readonly Tool[], machine: Machine): readonly string[] {
  const missing = tools.filter(({ command, debianPackage }) =>
    command === undefined
      ? machine.hasPackage(debianPackage) === false
      : !machine.hasCommand(command),
  );
  return [...new Set(missing.map(({ debianPackage }) => debianPackage))];
}

/**
 * Installs what is missing of `tools`, where that is possible: as root, with apt.
 * Returns why it could not be had, or undefined when everything is there.
 */
export async function ensureTools(tools: readonly Tool[]): Promise<string | undefined> {
  const names = missingOf(tools, thisMachine);
  if (names.length === 0) return undefined;
  if (process.getuid?.() !== 0) return `${needs(names)}, and only root can install`;
  if (Bun.which("apt-get") === null) return `${needs(names)}, and there is no apt-get`;
  console.log(`installing ${names.join(", ")}`);
  await withoutServices(() => installed(names));
  const left = missingOf(tools, thisMachine);
  return left.length === 0 ? undefined : `${needs(left)}, which apt-get could not install`;
}

function needs(names: readonly string[]): string {
  return `needs the Debian package${names.length > 1 ? "s" : ""} ${names.join(", ")}`;
}

const thisMachine: Machine = {
  hasCommand: (command) => Bun.which(command) !== null,
  hasPackage: (debianPackage) => {
    if (Bun.which("dpkg-query") === null) return undefined;
    const query = ["dpkg-query", "-W", "-f", "${db:Status-Status}", debianPackage];
    // One that was removed is still known, as `config-files`; of one that never was, there is nothing but an error.
    return Bun.spawnSync(query, { stderr: "ignore" }).stdout.toString() === "installed";
  },
};

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
