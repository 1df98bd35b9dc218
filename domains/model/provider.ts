import { providers, type Provider, type ProviderId } from "./providers-data.ts";

/** The provider whose name servers all of these are; undefined when none is known, or it is more than one. */
export function providerOf(nameServers: readonly string[]): ProviderId | undefined {
  const ids = new Set(nameServers.map(ownerOf));
  const [id] = ids;
  return ids.size === 1 ? id : undefined;
}

export function providerFacts(id: ProviderId): Provider {
  return providers[id];
}

function ownerOf(nameServer: string): ProviderId | undefined {
  return IDS.find((id) =>
    providerFacts(id).nameServers.some((known) =>
      typeof known === "string" ? nameServer.endsWith(known) : known.test(nameServer),
    ),
  );
}

// What `keys` of a literal returns is its keys.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const IDS = Object.keys(providers) as readonly ProviderId[];
