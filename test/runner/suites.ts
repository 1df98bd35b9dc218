import { Glob } from "bun";

import { POSTGRES_FOLDERS, type Tool } from "../../scripts/debian.ts";

/** Tests that run together, in one `bun test`. */
export interface Suite {
  readonly name: string;
  /** File patterns, relative to the repository. A file belongs to the first suite that matches. */
  readonly files: readonly string[];
  /** Tools required beyond `npm ci`. */
  readonly tools?: readonly Tool[];
  /** True if it also gets the compiled program (`TEST_EXECUTABLE`). */
  readonly compiled?: boolean;
  /** True to load modules once for several files, which saves a quarter of the time: for tests that change no module's state. */
  readonly keepsModules?: boolean;
  /** True to run one file at a time: for tests that wait, load the machine, or build in one place. */
  readonly alone?: boolean;
  /** The approximate seconds of its longest files, which start first so that nothing long runs last. */
  readonly longest?: Readonly<Record<string, number>>;
  /** True if it has a long form. */
  readonly torture?: boolean;
}

const wrk: Tool = { command: "wrk", debianPackage: "wrk" };
const nginx: Tool = { command: "nginx", debianPackage: "nginx-light" };
const age: Tool = { command: "age", debianPackage: "age" };
const strace: Tool = { command: "strace", debianPackage: "strace" };
const curl: Tool = { command: "curl", debianPackage: "curl" };
const pebble: Tool = { command: "pebble", debianPackage: "pebble" };
const openssl: Tool = { command: "openssl", debianPackage: "openssl" };
const knot: readonly Tool[] = [
  { command: "knotd", debianPackage: "knot" },
  { command: "kdig", debianPackage: "knot-dnsutils" },
];
const postgres: readonly Tool[] = [
  { command: "initdb", folders: POSTGRES_FOLDERS, debianPackage: "postgresql" },
  { command: "pgbouncer", debianPackage: "pgbouncer" },
];
const redis: Tool = { command: "redis-server", debianPackage: "redis-server" };
const haproxy: Tool = {
  command: "haproxy",
  folders: "usr/sbin",
  debianPackage: "haproxy",
};
const promtool: Tool = { command: "promtool", debianPackage: "prometheus" };
const unbound: Tool = { command: "unbound", debianPackage: "unbound" };
const caddy: Tool = { command: "caddy", debianPackage: "caddy" };
const chromium: readonly Tool[] = [
  { command: "chromium-headless-shell", debianPackage: "chromium-headless-shell" },
  // The last two alone check each view once more.
  { debianPackage: "fonts-noto-core" },
  { debianPackage: "fonts-liberation" },
  { debianPackage: "fonts-dejavu-core" },
];

/** They start in this order: the longest first, so that nothing long runs last. */
export const suites: readonly Suite[] = [
  {
    name: "first-hour",
    files: ["test/browser/first-hour.test.ts"],
    tools: [...chromium, ...knot, unbound, pebble, openssl, curl],
    compiled: true,
    alone: true,
  },
  {
    name: "browser",
    files: ["test/browser/**/*.test.ts"],
    tools: [...chromium, curl],
    compiled: true,
    torture: true,
    longest: {
      "test/browser/sights.test.ts": 60,
      "test/browser/dashboard-domains.test.ts": 30,
      "test/browser/dashboard-domain-states.test.ts": 20,
      "test/browser/dashboard-import.test.ts": 20,
      "test/browser/dashboard-shelter.test.ts": 15,
      "test/browser/dashboard-animals.test.ts": 15,
      "test/browser/dashboard-animal.test.ts": 12,
      "test/browser/dashboard-deploys.test.ts": 12,
      "test/browser/dashboard-profile.test.ts": 10,
      "test/browser/setup.test.ts": 10,
      "test/browser/reference.test.ts": 10,
    },
  },
  {
    name: "postgres",
    files: ["test/{postgres,redis}/**/*.test.ts"],
    tools: [...postgres, redis, ...knot, unbound, pebble, openssl, curl],
    compiled: true,
    longest: {
      "test/postgres/migration.test.ts": 40,
      "test/postgres/domain-story.test.ts": 30,
      "test/postgres/backup.test.ts": 25,
      "test/postgres/contracts.test.ts": 20,
      "test/postgres/publishing.test.ts": 15,
      "test/postgres/plans.test.ts": 15,
      "test/postgres/crash.test.ts": 15,
      "test/postgres/program.test.ts": 10,
      "test/postgres/wrong-clocks.test.ts": 10,
    },
    torture: true,
  },
  {
    name: "bench",
    files: ["test/bench/**/*.test.ts"],
    tools: [wrk, nginx, ...postgres],
    compiled: true,
    alone: true,
  },
  {
    name: "memory",
    files: ["test/scenario/memory.test.ts"],
    compiled: true,
    alone: true,
    torture: true,
  },
  {
    name: "backup",
    files: ["test/{backup,transfer}/**/*.test.ts"],
    tools: [age, strace],
    compiled: true,
    longest: {
      "test/backup/live.test.ts": 20,
      "test/backup/bucket.test.ts": 15,
      "test/transfer/move.test.ts": 10,
      "test/backup/killed.test.ts": 10,
    },
    torture: true,
  },
  {
    name: "docs",
    files: ["test/docs/**/*.test.ts"],
    tools: [curl, ...postgres],
    alone: true,
    torture: true,
  },
  {
    name: "nodes",
    files: ["test/nodes/**/*.test.ts"],
    tools: [...postgres, redis, haproxy, ...knot, unbound, pebble, openssl, curl],
    compiled: true,
    longest: {
      "test/nodes/faults.test.ts": 30,
      "test/nodes/domains.test.ts": 15,
      "test/nodes/nodes.test.ts": 15,
    },
    torture: true,
  },
  {
    name: "domains-dns",
    files: ["test/domains/dns/knot*.test.ts"],
    tools: [...knot, unbound],
    torture: true,
  },
  {
    name: "domains",
    files: ["test/domains/**/*.test.ts"],
    tools: [pebble, openssl, ...knot, unbound, curl],
    keepsModules: true,
    torture: true,
  },
  {
    name: "monitoring",
    files: ["test/cli/monitoring.test.ts"],
    tools: [promtool],
    compiled: true,
  },
  {
    name: "shells",
    files: ["test/cli/completion.test.ts"],
    tools: [
      { command: "zsh", debianPackage: "zsh" },
      { command: "fish", debianPackage: "fish" },
    ],
  },
  {
    name: "cli",
    files: ["test/cli/**/*.test.ts"],
    tools: [curl, nginx],
    compiled: true,
    longest: {
      "test/cli/publishing.test.ts": 10,
      "test/cli/commands.test.ts": 10,
      "test/cli/https.test.ts": 8,
      "test/cli/pets.test.ts": 7,
      "test/cli/serve.test.ts": 6,
      "test/cli/doctor.test.ts": 5,
      "test/cli/members.test.ts": 4,
      "test/cli/first-start.test.ts": 4,
    },
  },
  {
    name: "core",
    files: ["test/*.test.ts", "test/{lib,runner}/**/*.test.ts"],
    keepsModules: true,
    torture: true,
  },
  // Downloads generators of clients; all of it is in its long form.
  { name: "generated", files: ["test/node/generated.long.test.ts"], torture: true },
  {
    name: "embed",
    files: ["test/{adapters,packaging,node,examples,hosts}/**/*.test.ts"],
    tools: [caddy, pebble, openssl],
    longest: {
      "test/packaging/package.test.ts": 30,
      "test/examples/domains.test.ts": 15,
      "test/hosts/hosts.test.ts": 8,
      "test/examples/examples.test.ts": 5,
    },
    torture: true,
  },
  {
    name: "domain-story",
    files: ["test/scenario/domains*.test.ts"],
    tools: [...knot, unbound, pebble, openssl, curl],
    compiled: true,
    longest: { "test/scenario/domains.test.ts": 30 },
    torture: true,
  },
  // Each decoder in a process of its own, which a parent ends if it freezes.
  { name: "fuzz", files: ["test/fuzz/**/*.test.ts"], torture: true },
  {
    name: "conformance",
    files: ["test/{conformance,properties}/**/*.test.ts"],
    compiled: true,
    torture: true,
  },
  {
    name: "crash",
    files: ["test/scenario/crash.test.ts"],
    compiled: true,
    alone: true,
    torture: true,
  },
  {
    name: "publishing",
    files: ["test/scenario/publishing*.test.ts"],
    compiled: true,
    alone: true,
    torture: true,
  },
  {
    name: "samples",
    files: ["test/dashboard/reference/samples.test.ts"],
    tools: [
      { command: "python3", debianPackage: "python3" },
      { debianPackage: "python3-requests" },
    ],
    torture: true,
  },
  { name: "dashboard", files: ["test/dashboard/**/*.test.ts"] },
  {
    name: "durability",
    files: ["test/scenario/durability.test.ts"],
    tools: [strace],
  },
  // In its long form, each mutant runs the tests that should detect it.
  { name: "mutation", files: ["test/mutation/**/*.test.ts"], alone: true, torture: true },
];

/** Returns the test files of each suite, sorted, and those that no suite runs. */
export function assign(
  files: readonly string[],
  among: readonly Suite[] = suites,
): { readonly bySuite: ReadonlyMap<Suite, readonly string[]>; readonly unclaimed: string[] } {
  const bySuite = new Map<Suite, string[]>(among.map((suite) => [suite, []]));
  const unclaimed: string[] = [];
  for (const file of files.toSorted()) {
    const suite = among.find((one) => one.files.some((pattern) => new Glob(pattern).match(file)));
    ((suite && bySuite.get(suite)) ?? unclaimed).push(file);
  }
  return { bySuite, unclaimed };
}
