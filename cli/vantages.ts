import { lookup } from "node:dns/promises";

import { createVantages, type Vantages } from "../domains/index.ts";
import { SECOND_MS } from "../lib/base/clock.ts";
import { systemRandom } from "../lib/base/id.ts";
import type { Subject } from "./check.ts";
import { resolversOf } from "./resolvers.ts";

type Asking = Pick<Subject, "settings" | "context">;

/** How long a resolver has for an answer. */
export const PATIENCE_MS: number = 5 * SECOND_MS;

/** The resolvers of the service, and through them the name servers of any zone. */
export async function vantagesOf({ settings, context: { clock } }: Asking): Promise<Vantages> {
  const { dnsServers, allowPrivateNetworks } = settings;
  const servers = await resolversOf(dnsServers);
  return createVantages({ servers, clock, random: systemRandom, allowPrivateNetworks });
}

/**
 * Returns the addresses of a name; none when it has none or nobody could be asked. Where `dns-servers` names resolvers,
 * those are asked; otherwise the system, which also reads its file of hosts.
 */
export async function addressesOf(asking: Asking, name: string): Promise<readonly string[]> {
  if (asking.settings.dnsServers === undefined) {
    const found = await lookup(name, { all: true }).catch(() => []);
    return found.map(({ address }) => address);
  }
  const { resolvers } = await vantagesOf(asking);
  const within = { deadlineAt: asking.context.clock.now() + PATIENCE_MS };
  const answers = await Promise.all(
    resolvers.flatMap((resolver) => [
      resolver.lookup(name, "A", within),
      resolver.lookup(name, "AAAA", within),
    ]),
  );
  const found = answers.flatMap((answer) => (answer.kind === "found" ? answer.records : []));
  return [...new Set(found)];
}
