import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { answers } from "./knot.ts";

/** Why there is no Unbound here; undefined if there is. */
export const unboundMissing: string | undefined =
  Bun.which("unbound") === null ? "needs the Debian package unbound" : undefined;

export interface UnboundOptions {
  /** Where it listens, on port 53. From `nameServerAddress`. */
  readonly address: string;
  /** Where the servers of the root are. */
  readonly rootServer: string;
  /** What is known of the root's key: `48436 13 2 …`. */
  readonly rootDs: string;
  /** Keeps answers as long as they say. Default false: it remembers nothing. */
  readonly remembers?: boolean;
  /** Checks signatures. Default true. */
  readonly validates?: boolean;
  /** Asks this resolver instead of the name servers. */
  readonly forwardTo?: string;
}

/** A test that is killed takes it along, where the system can do that. */
const dying = Bun.which("setpriv") === null ? [] : ["setpriv", "--pdeathsig", "KILL", "--"];

/** Starts a resolver that checks signatures, and resolves when it answers. */
export async function startUnbound(options: UnboundOptions): Promise<AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), "unbound-"));
  const configuration = join(directory, "unbound.conf");
  const hints = join(directory, "root.hints");
  const log = join(directory, "unbound.log");
  await writeFile(hints, `. 3600 NS ns1.\nns1. 3600 A ${options.rootServer}\n`);
  await writeFile(configuration, configurationOf(directory, { hints, log }, options));
  const child = Bun.spawn([...dying, "unbound", "-d", "-c", configuration], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  const stop = async (): Promise<void> => {
    child.kill();
    await child.exited;
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await answers(options.address, ["."]);
  } catch (error) {
    const written = await readFile(log, "utf8").catch(() => "");
    await stop();
    throw new Error(`Unbound did not start:\n${written}`, { cause: error });
  }
  return { [Symbol.asyncDispose]: stop };
}

function configurationOf(
  directory: string,
  { hints, log }: { readonly hints: string; readonly log: string },
  { address, rootDs, remembers = false, validates = true, forwardTo }: UnboundOptions,
): string {
  const forgetting = ["cache-max-ttl: 0", "cache-max-negative-ttl: 0", "val-bogus-ttl: 0"];
  return `server:
  directory: "${directory}"
  chroot: ""
  username: ""
  pidfile: ""
  logfile: "${log}"
  use-syslog: no
  interface: ${address}
  port: 53
  num-threads: 1
  do-ip6: no
  do-not-query-localhost: no
  local-zone: "test." nodefault
  local-zone: "example." nodefault
  root-hints: "${hints}"
  ${validates ? `trust-anchor: ". DS ${rootDs}"` : 'module-config: "iterator"'}
  ${remembers ? "" : forgetting.join("\n  ")}
  ede: yes
  val-log-level: 2
remote-control:
  control-enable: no
${forwardTo === undefined ? "" : `forward-zone:\n  name: "."\n  forward-addr: ${forwardTo}\n`}`;
}
