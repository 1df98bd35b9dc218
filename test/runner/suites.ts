import { Glob } from "bun";

import type { Tool } from "../../scripts/debian.ts";

/** Tests that run together, in one `bun test`. */
export interface Suite {
  readonly name: string;
  /** Which files, from the root of the repository. A file belongs to the first suite that names it. */
  readonly files: readonly string[];
  /** What must be installed beyond `npm ci`. */
  readonly tools?: readonly Tool[];
  /** Also told where the compiled program is (`TEST_EXECUTABLE`). */
  readonly compiled?: boolean;
  /** One file at a time: these load the machine, measure it, or build in the same place. */
  readonly alone?: boolean;
  /** Has a long form. */
  readonly torture?: boolean;
}

const wrk: Tool = { command: "wrk", debianPackage: "wrk" };
const nginx: Tool = { command: "nginx", debianPackage: "nginx-light" };
const curl: Tool = { command: "curl", debianPackage: "curl" };
const pebble: Tool = { command: "pebble", debianPackage: "pebble" };
const openssl: Tool = { command: "openssl", debianPackage: "openssl" };
const knot: Tool = {
  command: "knotd",
  debianPackage: "knot",
  besides: ["knot-dnsutils"],
};
const unbound: Tool = { command: "unbound", debianPackage: "unbound" };
const caddy: Tool = { command: "caddy", debianPackage: "caddy" };
const chromium: Tool = {
  command: "chromium",
  debianPackage: "chromium",
  besides: ["fonts-noto-core", "fonts-liberation"],
};

export const suites: readonly Suite[] = [
  { name: "core", files: ["test/*.test.ts", "test/{lib,runner}/**/*.test.ts"], torture: true },
  { name: "dashboard", files: ["test/dashboard/**/*.test.ts"] },
  { name: "cli", files: ["test/cli/**/*.test.ts"], tools: [curl], compiled: true },
  {
    name: "conformance",
    files: ["test/{conformance,properties}/**/*.test.ts"],
    compiled: true,
    torture: true,
  },
  {
    name: "publishing",
    files: ["test/scenario/publishing*.test.ts"],
    compiled: true,
    alone: true,
    torture: true,
  },
  { name: "crash", files: ["test/scenario/crash.test.ts"], alone: true, torture: true },
  {
    name: "embed",
    files: ["test/{adapters,packaging,node,examples}/**/*.test.ts"],
    tools: [caddy],
    alone: true,
  },
  {
    name: "domains-dns",
    files: ["test/domains/dns/knot*.test.ts"],
    tools: [knot, unbound],
  },
  {
    name: "domains",
    files: ["test/domains/**/*.test.ts"],
    tools: [pebble, openssl, knot, unbound],
    torture: true,
  },
  {
    name: "domain-story",
    files: ["test/scenario/domains*.test.ts"],
    tools: [knot, unbound, pebble, openssl, curl],
    compiled: true,
    alone: true,
    torture: true,
  },
  {
    name: "first-hour",
    files: ["test/browser/first-hour.test.ts"],
    tools: [chromium, knot, unbound, pebble, openssl, curl],
    compiled: true,
    alone: true,
  },
  {
    name: "browser",
    files: ["test/browser/**/*.test.ts"],
    tools: [chromium, curl],
    compiled: true,
  },
  { name: "docs", files: ["test/docs/**/*.test.ts"], tools: [curl], alone: true },
  { name: "bench", files: ["test/bench/**/*.test.ts"], tools: [wrk, nginx], alone: true },
];

/** The test files of each suite, sorted, and those that no suite runs. */
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
