import { lookup } from "node:dns/promises";
import {
  createVantages,
  type Vantages,
  serversInResolvConf,
  type ServerAddress,
} from "../domains/index.ts";
import { SECOND_MS } from "../lib/base/clock.ts";
import { systemRandom } from "../lib/base/id.ts";
import type { Settings } from "../settings/options.ts";
import type { Runtime } from "./process/runtime.ts";
import { readFile } from "node:fs/promises";

interface LookupContext {
  readonly settings: Settings;
  readonly runtime: Runtime;
}

/** Time limit of a resolver. */
export const PATIENCE_MS: number = 5 * SECOND_MS;

/** Returns the resolvers of the service, and through them the name servers of any zone. */
export async function vantagesOf({
  settings,
  runtime: { clock },
}: LookupContext): Promise<Vantages> {
  const { dnsServers, allowPrivateNetworks } = settings;
  const servers = await resolversOf(dnsServers);
  return createVantages({ servers, clock, random: systemRandom, allowPrivateNetworks });
}

/**
 * Returns the addresses of a name; none if it has none or no resolver answers. Uses the resolvers of `dns-servers`, or
 * else the system, which also reads its hosts file.
 */
export async function addressesOf(asking: LookupContext, name: string): Promise<readonly string[]> {
  if (asking.settings.dnsServers === undefined) {
    const found = await lookup(name, { all: true }).catch(() => []);
    return found.map(({ address }) => address);
  }
  const { resolvers } = await vantagesOf(asking);
  const within = { deadlineAt: asking.runtime.clock.now() + PATIENCE_MS };
  const answers = await Promise.all(
    resolvers.flatMap((resolver) => [
      resolver.lookup(name, "A", within),
      resolver.lookup(name, "AAAA", within),
    ]),
  );
  const found = answers.flatMap((answer) => (answer.kind === "found" ? answer.records : []));
  return [...new Set(found)];
}

/** The default of a system without a list of resolvers (resolv.conf(5)). */
const OWN_MACHINE: ServerAddress = { address: "127.0.0.1", port: 53 };

/** Returns the named resolvers, else those of the system. */
export async function resolversOf(
  named: readonly ServerAddress[] | undefined,
  readText: (path: string) => Promise<string> = (path) => readFile(path, "utf8"),
): Promise<readonly [ServerAddress, ...ServerAddress[]]> {
  // Without the file the list is empty.
  const text = named === undefined ? await readText("/etc/resolv.conf").catch(() => "") : "";
  const [first = OWN_MACHINE, ...others] = named ?? serversInResolvConf(text);
  return [first, ...others];
}
