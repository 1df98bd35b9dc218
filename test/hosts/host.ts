import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** What is before the petstore at a mount. README.md describes each. */
export const roles = [
  "plain",
  "root",
  "parsed",
  "before",
  "parameter",
  "dressed",
  "compressed",
  "proxied",
  "staging",
] as const;

export type Role = (typeof roles)[number];

export type Runtime = "node" | "bun" | "deno";

/** A host as its `package.json` declares it. */
export interface Host {
  /** The name of its folder. */
  readonly name: string;
  /** The folders of its sources; files of a later one replace those of an earlier one. */
  readonly folders: readonly string[];
  readonly title: string;
  readonly runtime: Runtime;
  /** The package whose version the table shows. Undefined: the runtime's own. */
  readonly version: string | undefined;
  /** The path of each mount. */
  readonly mounts: Readonly<Partial<Record<Role, string>>>;
  /** Whether its parser hides duplicate members. */
  readonly hides: boolean;
  /** Whether it has routes of its own. */
  readonly routes: boolean;
  /** Why it cannot pass a check, by the check's name. */
  readonly excused: Readonly<Record<string, string>>;
  readonly packages: Readonly<Record<string, string>>;
  readonly start: string;
  readonly build: string | undefined;
  /** The folders that the build writes. */
  readonly output: readonly string[];
  /** The page of `docs/hosts/` whose code it runs at its mount `plain`. */
  readonly recipe: string | undefined;
  /** Whether it only runs behind Cloudflare's network, which names the client in a header of its own. */
  readonly edge: boolean;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly scripts?: { readonly start?: string; readonly build?: string };
  readonly host: {
    readonly title: string;
    readonly like?: string;
    readonly runtime?: Runtime;
    readonly version?: string;
    readonly mounts?: Readonly<Partial<Record<Role, string>>>;
    readonly hides?: boolean;
    readonly routes?: boolean;
    readonly output?: readonly string[];
    readonly recipe?: string;
    readonly edge?: boolean;
    readonly excused?: Readonly<Record<string, string>>;
  };
}

export const HOSTS = join(import.meta.dir, "hosts");
export const KIT = join(import.meta.dir, "kit");

/** Returns all hosts, sorted by title. */
export async function listHosts(): Promise<readonly Host[]> {
  const entries = await readdir(HOSTS, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const hosts = await Promise.all(names.map(readHost));
  return hosts.toSorted((a, b) => a.title.localeCompare(b.title));
}

export async function readHost(name: string): Promise<Host> {
  const folder = join(HOSTS, name);
  const manifest: Manifest = await Bun.file(join(folder, "package.json")).json();
  const { dependencies = {}, scripts, host } = manifest;
  const like = host.like === undefined ? undefined : await readHost(host.like);
  const loose = Object.entries(dependencies).find(([, version]) => !/^(npm:.+@)?\d/.test(version));
  if (loose !== undefined) throw new Error(`${name}: the version of ${loose[0]} is not exact.`);
  const mounts = host.mounts ?? like?.mounts ?? {};
  const unknown = Object.keys(mounts).find((role) => !roles.some((one) => one === role));
  if (unknown !== undefined) throw new Error(`${name}: no mount has the role ${unknown}.`);
  const start = scripts?.start ?? like?.start;
  if (start === undefined) throw new Error(`${name} has no script "start".`);
  return {
    name,
    folders: [...(like?.folders ?? []), folder],
    title: host.title,
    runtime: host.runtime ?? like?.runtime ?? "node",
    version: host.version ?? like?.version,
    mounts,
    hides: host.hides ?? like?.hides ?? false,
    routes: host.routes ?? like?.routes ?? true,
    excused: host.excused ?? like?.excused ?? {},
    packages: dependencies,
    start,
    build: scripts?.build ?? like?.build,
    output: host.output ?? like?.output ?? [],
    recipe: host.recipe ?? like?.recipe,
    edge: host.edge ?? like?.edge ?? false,
  };
}
