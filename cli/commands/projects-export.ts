import type { ManagementClient } from "../../lib/management/index.ts";
import type { SiteFile } from "../../lib/publishing/index.ts";
import { command } from "../command.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { projectFlag } from "../project-fields.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const projectsExport = command({
  path: "projects export",
  summary: "Write the petstore.site.json of a project, with its domains as they are now",
  details:
    "What the live deploy says of the site, and which domain shows it and which ones lead there. `deploy` reads it back.",
  operands: {},
  flags: { project: projectFlag, ...clientFlags },
  examples: ["projects export --project brave-otter-1f2e > site/petstore.site.json"],
  run: async ({ flags, context }) => {
    const site = await withClient(flags, context, (client) => siteFileOf(client, flags.project));
    await writeJson(context.terminal, site);
    return "done";
  },
});

async function siteFileOf(client: ManagementClient, project: string): Promise<SiteFile> {
  const { id, liveDeploy } = must(await client.projects.byId(project));
  const said =
    liveDeploy === undefined ? {} : must(await client.deploys.siteFile(id, liveDeploy.id));
  const { primary, redirects } = must(await client.domains.config(id));
  const { domains: _asked, ...site } = said;
  if (primary === undefined && redirects.length === 0) return site;
  return { ...site, domains: { ...(primary === undefined ? {} : { primary }), redirects } };
}
