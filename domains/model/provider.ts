import { providers, type Provider, type ProviderId } from "./providers-data.ts";

/**
 * The DNS provider that all of these name servers belong to, their names in lower case; undefined when it is not
 * known, or when there are several: then nobody can say where a record is to be entered.
 */
export function providerOf(nameServers: readonly string[]): ProviderId | undefined {
  const owners = new Set(nameServers.map(ownerOf));
  const [owner] = owners;
  return owners.size === 1 ? owner : undefined;
}

export function providerFacts(id: ProviderId): Provider {
  return providers[id];
}

// The keys of a literal are what its type says.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const IDS = Object.keys(providers) as readonly ProviderId[];

export function isProvider(id: string): id is ProviderId {
  return Object.hasOwn(providers, id);
}

function ownerOf(nameServer: string): ProviderId | undefined {
  return IDS.find((id) =>
    providerFacts(id).nameServers.some((known) =>
      typeof known === "string" ? nameServer.endsWith(known) : known.test(nameServer),
    ),
  );
}
