import { local } from "../../lib/management/index.ts";
import { silentLog } from "../../lib/base/log.ts";
import { command } from "../command.ts";
import { toggle } from "../flag.ts";
import { baseAddress, publicServers, reservedSlugs, siteAddress } from "../public-address.ts";
import { serveFlags } from "../serve-flags.ts";
import { loadSettings } from "../settings.ts";

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
    const { settings } = await loadSettings({ flags: typed, environment });
    const address = baseAddress(settings);
    const storage = await composition.openMemory();
    const { petstores, management } = storage.createService({
      store: storage.store,
      // Nothing is signed with it.
      encryptionKey: new Uint8Array(32),
      servers: publicServers(settings),
      addressOf: siteAddress(settings),
      reserved: reservedSlugs(settings),
      setupAddress: `${address}/setup`,
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
