import { existsSync } from "node:fs";

import { acmeAuthority, createInternalRoot, internalAuthority } from "../domains/index.ts";
import { systemRandom } from "../lib/base/id.ts";
import { silentLog } from "../lib/base/log.ts";
import { local, managementClient, type ManagementClient } from "../lib/management/index.ts";
import { exchangeOf } from "./authority.ts";
import type { Context } from "./command.ts";
import type { CustomParts } from "./custom-parts.ts";
import { dataDirectory } from "./data-directory.ts";
import { destination, type DestinationFlags } from "./destination.ts";
import { directoryOf } from "./domain-values.ts";
import type { Settings } from "./options.ts";
import { baseAddress, cnameTarget, publicServers, siteAddress } from "./public-address.ts";
import { resolversOf } from "./resolvers.ts";
import { loadSettings, type LoadedSettings } from "./settings.ts";
import { systemOf } from "./system/parts.ts";
import { withClient } from "./with-client.ts";

type Explained = Awaited<ReturnType<ManagementClient["domains"]["explain"]>>;

/** Looks at a name by the service that flags name; where there is no installation, by ourselves. */
export async function explainSomewhere(
  domain: string,
  flags: DestinationFlags,
  context: Context,
): Promise<Explained> {
  const { environment } = context;
  if (destination(flags, environment).kind === "installation") {
    const { "data-dir": dataDir, config } = flags;
    const typed = { "data-dir": dataDir, config };
    const loaded = await loadSettings({ flags: typed, environment });
    if (!existsSync(dataDirectory(loaded.settings.dataDir).database)) {
      return explainHere(domain, loaded, context);
    }
  }
  return withClient(flags, context, ({ domains }) => domains.explain(domain));
}

/** With a service that is gone afterwards, over a database in memory. */
async function explainHere(
  domain: string,
  loaded: LoadedSettings,
  context: Context,
): Promise<Explained> {
  const { settings } = loaded;
  const directory = dataDirectory(settings.dataDir);
  // Nothing is signed or sealed with it.
  const encryptionKey = new Uint8Array(32);
  const custom = await partsFor(settings, context);
  const storage = await context.composition.openMemory();
  const service = storage.createService({
    store: storage.store,
    encryptionKey,
    servers: publicServers(settings),
    addressOf: siteAddress(settings),
    reserved: [],
    setupAddress: `${baseAddress(settings)}/setup`,
    custom,
    system: systemOf({ loaded, directory, context, encryptionKey, custom }),
    log: silentLog,
  });
  const { management } = service;
  try {
    const client = managementClient({
      send: async (request) => management.fetch(request, { principal: local }),
    });
    return await client.domains.explain(domain);
  } finally {
    await management.close();
    await service.custom.close();
    await storage.close();
  }
}

/** What a look at the DNS is measured by; nothing is ever served or ordered with it. */
async function partsFor(
  settings: Settings,
  { clock, version }: Pick<Context, "clock" | "version">,
): Promise<CustomParts> {
  const { acme, acmeCaaIdentity, edgeAddresses, allowPrivateNetworks, dnsServers } = settings;
  const directoryUrl = directoryOf(acme);
  const authority =
    directoryUrl === undefined
      ? internalAuthority({
          root: await createInternalRoot(clock.now(), systemRandom),
          clock,
          random: systemRandom,
        })
      : acmeAuthority({
          directoryUrl,
          exchange: await exchangeOf({ settings, clock, version }),
          clock,
        });
  return {
    authorities: [authority],
    resolvers: await resolversOf(dnsServers),
    cnameTarget: cnameTarget(settings),
    ownDomains: [],
    edgeAddresses,
    ...(acmeCaaIdentity === undefined ? {} : { caaIdentities: acmeCaaIdentity }),
    allowPrivateNetworks,
    probe: async () => false,
    ownHosts: [],
    siteHosts: () => undefined,
  };
}
