import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** A tool that some tests need beyond `npm ci`, and its Debian package. */
export interface Tool {
  /** Absent for packages without a program, such as fonts. Then the package itself is checked. */
  readonly command?: string;
  /** A pattern of folders outside `PATH` that may hold the program, without the first slash. */
  readonly folders?: string;
  readonly debianPackage: string;
}

/** Where Debian installs the programs of PostgreSQL's server. */
export const POSTGRES_FOLDERS = "usr/lib/postgresql/*/bin";

/** Checks for installed programs and packages. */
export interface Machine {
  readonly hasCommand: (command: string, folders?: string) => boolean;
  /** Undefined without `dpkg`. */
  readonly hasPackage: (debianPackage: string) => boolean | undefined;
}

/** Returns the missing packages of `tools`, each once. Without `dpkg`, packages without a program count as installed. */
export function missingOf(tools: readonly Tool[], machine: Machine): readonly string[] {
  const missing = tools.filter(({ command, folders, debianPackage }) =>
    command === undefined
      ? machine.hasPackage(debianPackage) === false
      : !machine.hasCommand(command, folders),
  );
  return [...new Set(missing.map(({ debianPackage }) => debianPackage))];
}

/**
 * Installs the missing `tools` as root with apt. Returns why it could not, or undefined if all are installed.
 */
export async function ensureTools(tools: readonly Tool[]): Promise<string | undefined> {
  const names = missingOf(tools, thisMachine);
  if (names.length === 0) return undefined;
  if (process.getuid?.() !== 0) return `${needs(names)}, which only root can install`;
  if (Bun.which("apt-get") === null) return `${needs(names)}, and apt-get does not exist`;
  console.log(`installing ${names.join(", ")}`);
  await withoutServices(() => installed(names));
  const left = missingOf(tools, thisMachine);
  return left.length === 0 ? undefined : `${needs(left)}, which apt-get could not install`;
}

function needs(names: readonly string[]): string {
  return `needs the Debian package${names.length > 1 ? "s" : ""} ${names.join(", ")}`;
}

/** Returns the path of a program in `PATH` or in one of the `folders`; undefined if none has it. */
export function commandPath(command: string, folders?: string): string | undefined {
  const more = folders === undefined ? [] : [...new Bun.Glob(folders).scanSync(FOLDERS)];
  const path = [process.env["PATH"] ?? "", ...more.map((folder) => `/${folder}`)];
  return Bun.which(command, { PATH: path.join(":") }) ?? undefined;
}

const FOLDERS = { cwd: "/", onlyFiles: false };

const thisMachine: Machine = {
  hasCommand: (command, folders) => commandPath(command, folders) !== undefined,
  hasPackage: (debianPackage) => {
    if (Bun.which("dpkg-query") === null) return undefined;
    const query = ["dpkg-query", "-W", "-f", "${db:Status-Status}", debianPackage];
    // A removed package has the state `config-files`; an unknown one is an error.
    return Bun.spawnSync(query, { stderr: "ignore" }).stdout.toString() === "installed";
  },
};

async function installed(packages: readonly string[]): Promise<void> {
  const install = ["install", "-y", "-qq", "--no-install-recommends", ...packages];
  // The package lists of a new machine are empty or outdated.
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

/** These files keep Debian from starting installed services, and from creating a PostgreSQL cluster that later starts. */
const POLICIES = [
  { path: "/usr/sbin/policy-rc.d", content: "#!/bin/sh\nexit 101\n" },
  {
    path: "/etc/postgresql-common/createcluster.d/petstore-tests.conf",
    content: "create_main_cluster = false\n",
  },
];

async function withoutServices(act: () => Promise<void>): Promise<void> {
  const added = POLICIES.filter(({ path }) => !existsSync(path));
  for (const { path, content } of added) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { mode: 0o755 });
  }
  try {
    await act();
  } finally {
    for (const { path } of added) await rm(path, { force: true });
  }
}
