import { local } from "../../lib/management/index.ts";
import { withTransientService } from "../../server/compose.ts";
import { loadSettings } from "../../settings/load.ts";
import { baseAddress } from "../../settings/public-address.ts";
import { command } from "../command.ts";
import { toggle } from "../flag.ts";
import { writeJson } from "../output.ts";
import { serveFlags } from "../serve-flags.ts";

export const openapi = command({
  path: "openapi",
  summary: "Write the OpenAPI 3.1 document of the API, without starting a server",
  details: "Accepts the options of `serve` that decide its addresses.",
  operands: {},
  flags: {
    management: toggle("management", "Write the document of the management API instead."),
    ...serveFlags,
  },
  examples: [
    "openapi > openapi.json",
    "openapi --management > management.json",
    "openapi --base-domain pets.example.org --public-http-port 80",
  ],
  run: async ({ flags, context }) => {
    const { terminal, environment } = context;
    const { json: _json, management: ofManagement, ...typed } = flags;
    const loaded = await loadSettings({ flags: typed, environment });
    const address = baseAddress(loaded.settings);
    await withTransientService(loaded, context, async ({ petstores, management }) => {
      const response = ofManagement
        ? await management.fetch(new Request(`${address}/manage/v1/openapi.json`), {
            principal: local,
          })
        : await petstores.production.fetch(new Request(`${address}/v1/openapi.json`));
      await writeJson(terminal, await response.json());
    });
    return "done";
  },
});
