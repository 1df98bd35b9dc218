import { command } from "../command.ts";
import { silentLog } from "../../lib/base/log.ts";
import { publicServers } from "../public-address.ts";
import { serveFlags } from "../serve-flags.ts";
import { loadSettings } from "../settings.ts";

export const openapi = command({
  path: "openapi",
  summary: "Write the OpenAPI 3.1 document of the API, without starting anything",
  details: "Takes the options of `serve` that decide its addresses.",
  operands: {},
  flags: serveFlags,
  examples: [
    "openapi > openapi.json",
    "openapi --base-domain pets.example.org --public-http-port 80",
  ],
  run: async ({ flags, context }) => {
    const { terminal, environment, composition } = context;
    const { json: _json, ...typed } = flags;
    const { settings } = await loadSettings({ flags: typed, environment });
    const store = await composition.openMemory();
    const { production } = composition.createPetstores({
      store,
      // Nothing is signed with it.
      encryptionKey: new Uint8Array(32),
      servers: publicServers(settings),
      log: silentLog,
    });
    const response = await production.fetch(new Request("http://localhost/v1/openapi.json"));
    await terminal.out(`${JSON.stringify(await response.json(), null, 2)}\n`);
    await store.close();
    return "done";
  },
});
