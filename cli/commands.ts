import { local } from "../lib/management/index.ts";
import { withTransientService } from "../server/compose.ts";
import { loadSettings } from "../settings/load.ts";
import { baseAddress } from "../settings/public-address.ts";
import { accountCommands } from "./accounts.ts";
import { auditCommands } from "./audit.ts";
import { backup, restore } from "./backup.ts";
import { certificateCommands } from "./certs.ts";
import { command, toggle, type Command } from "./command.ts";
import { completionOf } from "./completion.ts";
import { configCommands } from "./config.ts";
import { demo } from "./demo.ts";
import { deployCommands } from "./deploys.ts";
import { doctor, healthcheck } from "./doctor.ts";
import { domainCommands } from "./domains.ts";
import { enquiryCommands } from "./enquiries.ts";
import { explain } from "./explain.ts";
import { importCommands } from "./imports.ts";
import { keyCommands } from "./keys.ts";
import { mailCommands } from "./mail.ts";
import { memberCommands } from "./members.ts";
import { migrateCommands } from "./migrate.ts";
import { nodes } from "./nodes.ts";
import { serveFlags } from "./operation.ts";
import { writeJson } from "./output.ts";
import { orderCommands } from "./orders.ts";
import { petCommands } from "./pets.ts";
import { profileCommands } from "./profiles.ts";
import { photoCommands } from "./photos.ts";
import { projectCommands } from "./projects.ts";
import { serve } from "./serve.ts";
import { siteCommands } from "./sites.ts";
import { setupLink, tokenCommands } from "./tokens.ts";
import { exportAll, importAll } from "./transfer.ts";
import { usage } from "./usage.ts";
import { version } from "./version.ts";
import { webhookCommands } from "./webhooks.ts";

const openapi = command({
  path: "openapi",
  summary: "Write the OpenAPI 3.1 document of the API, without starting a server",
  details: "Accepts the options of `serve`, which determine the addresses in the document.",
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

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  serve,
  ...accountCommands,
  ...keyCommands,
  ...petCommands,
  ...profileCommands,
  ...photoCommands,
  ...importCommands,
  ...orderCommands,
  ...enquiryCommands,
  ...webhookCommands,
  ...projectCommands,
  ...siteCommands,
  ...deployCommands,
  ...domainCommands,
  ...certificateCommands,
  usage,
  explain,
  ...memberCommands,
  ...auditCommands,
  ...mailCommands,
  ...tokenCommands,
  setupLink,
  backup,
  restore,
  exportAll,
  importAll,
  ...migrateCommands,
  openapi,
  ...configCommands,
  demo,
  doctor,
  healthcheck,
  nodes,
  completionOf(() => commands),
  version,
];
