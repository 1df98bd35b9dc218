import { local } from "../../lib/management/index.ts";
import { silentLog } from "../../lib/base/log.ts";
import { command, type Context } from "../command.ts";
import { toggle } from "../flag.ts";
import type { CustomParts } from "../custom-parts.ts";
import { dataDirectory } from "../data-directory.ts";
import type { Settings } from "../options.ts";
import {
  baseAddress,
  cnameTarget,
  publicServers,
  reservedSlugs,
  siteAddress,
} from "../public-address.ts";
import { resolversOf } from "../resolvers.ts";
import { createInternalRoot, internalAuthority } from "../../domains/index.ts";
import { systemRandom } from "../../lib/base/id.ts";
import { serveFlags } from "../serve-flags.ts";
import { loadSettings } from "../settings.ts";
import { systemOf } from "../system/parts.ts";

export const openapi = command({
  path: "openapi",
  summary: "Write the OpenAPI 3.1 document of the API, without starting anything",
  details: "Takes the options of `serve` that decide its addresses.",
  operands: {},
  flags: {
    management: toggle("management", "The document of the management API instead."),
    ...serveFlags,
  },
  examples: [
    "openapi > openapi.json",
    "openapi --management > management.json",
    "openapi --base-domain pets.example.org --public-http-port 80",
  ],
  run: async ({ flags, context }) => {
    const { terminal, environment, composition } = context;
    const { json: _json, management: ofManagement, ...typed } = flags;
    const loaded = await loadSettings({ flags: typed, environment });
    const { settings } = loaded;
    const address = baseAddress(settings);
    const directory = dataDirectory(settings.dataDir);
    // Nothing is signed with it.
    const encryptionKey = new Uint8Array(32);
    const custom = await undecided(settings, context);
    const storage = await composition.openMemory();
    const { petstores, management } = storage.createService({
      store: storage.store,
      encryptionKey,
      servers: publicServers(settings),
      addressOf: siteAddress(settings),
      reserved: reservedSlugs(settings),
      setupAddress: `${address}/setup`,
      custom,
      system: systemOf({ loaded, directory, context, encryptionKey, custom }),
      log: silentLog,
    });
    const response = ofManagement
      ? await management.fetch(new Request(`${address}/manage/v1/openapi.json`), {
          principal: local,
        })
      : await petstores.production.fetch(new Request(`${address}/v1/openapi.json`));
    await terminal.out(`${JSON.stringify(await response.json(), null, 2)}\n`);
    await storage.close();
    return "done";
  },
});

/** Nothing is ever asked of these. */
async function undecided(settings: Settings, { clock }: Context): Promise<CustomParts> {
  const root = await createInternalRoot(clock.now(), systemRandom);
  return {
    authorities: [internalAuthority({ root, clock, random: systemRandom })],
    resolvers: await resolversOf(settings.dnsServers),
    cnameTarget: cnameTarget(settings),
    ownDomains: [],
    probe: async () => false,
    ownHosts: [],
    siteHosts: () => undefined,
  };
}
