import { readableMinute, shellWord } from "../lib/base/readable.ts";
import { DAY_MS } from "../lib/base/clock.ts";
import { done } from "../lib/base/result.ts";
import { petStatuses } from "../lib/index.ts";
import { siteLanguages } from "../lib/publishing/index.ts";
import type { ProjectView } from "../lib/management/index.ts";
import { Failure, must } from "../settings/failure.ts";
import { integer, oneOf } from "../settings/values.ts";
import { optional, optionalText, repeated, type Command, type Context } from "./command.ts";
import { accountFilter, accountFlag, given, projectFlag, projectOperand } from "./fields.ts";
import { operation } from "./operation.ts";
import { confirm, writeJson, writeTable, yesFlag } from "./output.ts";

const NAME_HELP = "Name for people, 1 to 80 characters.";

/** IDs have up to 16 digits; 15 are enough for anything typed. */
const categoryId = integer({ min: 1, max: 999_999_999_999_999 });

const contentFlags = {
  slug: optionalText("slug", "SLUG", "First part of the address: letters, digits and hyphens."),
  categoryIds: repeated<number | "all">({
    name: "category",
    placeholder: "ID",
    help: "Show only animals of this category; `all` shows every category. Default for new projects: `all`.",
    parse: (written) => (written === "all" ? done(written) : categoryId(written)),
  }),
  statuses: repeated({
    name: "status",
    placeholder: "STATUS",
    help: `Show only animals with this status: ${petStatuses.join(", ")}. Default for new projects: available and pending.`,
    parse: oneOf(petStatuses),
  }),
  accent: optionalText("accent", "COLOUR", "Accent colour of the storefront, such as #2f6f4f."),
  scheme: optional({
    name: "scheme",
    placeholder: "SCHEME",
    help: "auto, light or dark. auto follows the visitor's device.",
    parse: oneOf(["auto", "light", "dark"]),
  }),
} as const;

/** Returns the changes that the flags ask for. */
function changeOf({
  slug,
  categoryIds,
  statuses,
  accent,
  scheme,
}: {
  readonly slug: string | undefined;
  readonly categoryIds: readonly (number | "all")[] | undefined;
  readonly statuses: ProjectView["filter"]["statuses"] | undefined;
  readonly accent: string | undefined;
  readonly scheme: ProjectView["theme"]["scheme"] | undefined;
}) {
  const ids = categoryIds?.includes("all") ? [] : categoryIds?.filter((id) => id !== "all");
  const filter = given({ categoryIds: ids, statuses });
  const theme = given({ accent, scheme });
  return given({
    slug,
    filter: Object.keys(filter).length === 0 ? undefined : filter,
    theme: Object.keys(theme).length === 0 ? undefined : theme,
  });
}

export const projectCommands: readonly Command[] = [
  operation({
    path: "projects create",
    summary: "Create a site for an account's animals",
    details:
      "Without --slug the project gets a random address, such as brave-otter-1f2e. It shows nothing until the first deploy.",
    operands: { name: { placeholder: "NAME", help: NAME_HELP } },
    flags: {
      account: accountFlag,
      ...contentFlags,
      language: optional({
        name: "language",
        placeholder: "LANGUAGE",
        help: `Language of the storefront's own texts: ${siteLanguages.join(", ")}. Default: en.`,
        parse: oneOf(siteLanguages),
      }),
    },
    examples: [
      'projects create "Happy Tails" --account acc_7Gk2mQ9xYt4B',
      'projects create "Our cats" --account acc_7Gk2mQ9xYt4B --slug cats --category 2 --json',
    ],
    call: async ({ call }, { flags: { account, language, ...flags }, operands: { name } }) => {
      const body = { name, ...changeOf(flags), ...given({ language }) };
      return must(await call("POST /accounts/:account/projects", { account, body }));
    },
    show: async (project, { context }) => {
      await showProjects([project], context);
      const how = `${context.program} deploy --starter --project ${shellWord(project.slug)}`;
      context.terminal.err(`\nPublish the storefront: ${how}\n`);
    },
  }),
  operation({
    path: "projects list",
    summary: "List the projects, newest first, including deleted ones that can be restored",
    flags: { account: accountFilter },
    examples: ["projects list", "projects list --account acc_7Gk2mQ9xYt4B --json"],
    call: async ({ all }, { flags: { account } }) =>
      must(
        account === undefined
          ? await all("GET /projects")
          : await all("GET /accounts/:account/projects", { account }),
      ),
    show: async (projects, { context }) => {
      if (projects.length > 0) return showProjects(projects, context);
      const how = `${context.program} projects create NAME --account ACCOUNT`;
      context.terminal.err(`No projects. Create one: ${how}\n`);
    },
  }),
  operation({
    path: "projects set",
    summary: "Change a project: its name, address, content or theme",
    details: "Omitted settings stay unchanged. The old slug redirects to the new one for 30 days.",
    operands: { project: projectOperand },
    flags: { name: optionalText("name", "NAME", NAME_HELP), ...contentFlags },
    examples: [
      "projects set brave-otter-1f2e --slug cats",
      'projects set cats --name "Our cats" --category 2 --accent "#2f6f4f"',
      "projects set cats --category all --status available",
    ],
    before: ({ flags }) => {
      const change = { ...given({ name: flags.name }), ...changeOf(flags) };
      if (Object.keys(change).length === 0) {
        throw new Failure("usage", "No change given: add --name, --slug or another option.");
      }
      return change;
    },
    call: async ({ call }, { operands: { project } }, change) => {
      // The API replaces a theme as a whole.
      const theme = change.theme && {
        ...must(await call("GET /projects/:project", { project })).theme,
        ...change.theme,
      };
      return must(await call("PATCH /projects/:project", { project, body: { ...change, theme } }));
    },
    show: (project, { context }) => showProjects([project], context),
  }),
  operation({
    path: "projects export",
    summary: "Write the petstore.site.json of a project, with its current domains",
    details:
      "Contains the settings of the live deploy, the primary domain and the redirecting domains. `deploy` accepts the file.",
    flags: { project: projectFlag },
    examples: ["projects export --project brave-otter-1f2e > site/petstore.site.json"],
    call: async ({ call }, { flags }) => {
      const { id: project, liveDeploy } = must(
        await call("GET /projects/:project", { project: flags.project }),
      );
      const deployed =
        liveDeploy === undefined
          ? {}
          : must(
              await call("GET /projects/:project/deploys/:deploy/site-file", {
                project,
                deploy: liveDeploy.id,
              }),
            );
      const { primary, redirects } = must(
        await call("GET /projects/:project/domains-config", { project }),
      );
      const { domains: _requested, ...site } = deployed;
      if (primary === undefined && redirects.length === 0) return site;
      return { ...site, domains: { ...given({ primary }), redirects } };
    },
    show: (site, { context }) => writeJson(context.terminal, site),
  }),
  operation({
    path: "projects delete",
    summary: "Take a site offline; it can be restored for 24 hours",
    operands: { project: projectOperand },
    flags: { yes: yesFlag },
    examples: ["projects delete brave-otter-1f2e", "projects delete brave-otter-1f2e --yes"],
    call: async ({ call }, { flags, operands: { project }, context: { terminal, clock } }) => {
      const { id, slug, name, url } = must(await call("GET /projects/:project", { project }));
      await confirm(terminal, `Delete the project ${name}? ${url} goes offline.`, flags.yes);
      must(await call("DELETE /projects/:project", { project: id }));
      return { id, slug, deleted: true, restorableUntil: clock.now() + DAY_MS };
    },
    show: ({ slug, restorableUntil }, { context: { terminal, program } }) => {
      const how = `${program} projects restore ${shellWord(slug)}`;
      terminal.err(
        `Deleted ${slug}. Restore it until ${readableMinute(restorableUntil)}: ${how}\n`,
      );
    },
  }),
  operation({
    path: "projects restore",
    summary: "Restore a deleted project, within 24 hours",
    operands: { project: projectOperand },
    examples: ["projects restore brave-otter-1f2e"],
    call: async ({ call }, { operands: { project } }) =>
      must(await call("POST /projects/:project/restore", { project })),
    show: (project, { context }) => showProjects([project], context),
  }),
];

function showProjects(projects: readonly ProjectView[], { terminal }: Context): Promise<void> {
  const headings = ["SLUG", "NAME", "ID", "ACCOUNT", "STATUS", "ADDRESS"];
  const rows = projects.map((project) => {
    const { id, slug, name, accountId, url } = project;
    return [slug, name, id, accountId, statusOf(project), url];
  });
  return writeTable(terminal, headings, rows);
}

function statusOf({ deletedAt, liveDeploy }: ProjectView): string {
  if (deletedAt !== undefined) return `deleted ${readableMinute(deletedAt)}`;
  if (liveDeploy === undefined) return "not published";
  return `live since ${readableMinute(liveDeploy.activatedAt ?? liveDeploy.createdAt)}`;
}
