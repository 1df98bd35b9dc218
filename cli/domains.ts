import { existsSync } from "node:fs";

import { redirectStatuses } from "../domains/model/domain.ts";
import type { PetstoreClient, PetstoreOperations } from "../domains/operations.ts";
import { MAX_SHARED_DAYS, SHARED_DAYS } from "../domains/view/bodies.ts";
import type { DomainView, ExplanationView } from "../domains/view/shapes.ts";
import { done, refused, type Result } from "../lib/base/result.ts";
import { readableMinute, shellWord } from "../lib/base/readable.ts";
import type { Problem } from "../lib/index.ts";
import { toWire, type InputOf } from "../lib/management/index.ts";
import { withTransientService } from "../server/compose.ts";
import { dataDirectory } from "../server/data/data-directory.ts";
import { Failure, must, type Exit } from "../settings/failure.ts";
import { duration, integer } from "../settings/values.ts";
import { destination, settingsFor, withClient, type DestinationFlags } from "./client.ts";
import {
  command,
  optional,
  optionalText,
  withDefault,
  type Command,
  type Context,
} from "./command.ts";
import {
  bothNames,
  findingLines,
  recordLines,
  section,
  writeDomain,
  writeDomains,
} from "./domain-view.ts";
import { domainOperand, domainProjectFlag, domainVerify, findDomain } from "./domain-verify.ts";
import { accountFilter, projectFlag } from "./fields.ts";
import { clientFlags, operation } from "./operation.ts";
import { asTyped } from "../lib/base/commands.ts";
import { confirm, wrap, writeJson, yesFlag } from "./output.ts";

const SIXTY_DAYS_MS = 60 * 24 * 3_600_000;

export const domainCommands: readonly Command[] = [
  operation({
    path: "domains add",
    summary: "Add a custom domain to a project, and show the DNS records to create",
    details:
      "The first domain of a project shows its site; other domains redirect to it. Requires the Pro plan or higher and a live deploy. The server then checks the DNS, and orders and renews the certificate.",
    operands: { domain: domainOperand },
    flags: { project: projectFlag },
    examples: [
      "domains add pets.shelter.org --project brave-otter-1f2e",
      "domains add shelter.org --project brave-otter-1f2e --json",
    ],
    call: async ({ call }, { flags: { project }, operands: { domain }, context }) => {
      const added = await call("POST /projects/:project/domains", { project, body: { domain } });
      return must(withHint(added, project, context));
    },
    show: async (view, { flags, context }) => {
      const { terminal, program } = context;
      const project = shellWord(flags.project);
      await writeDomain(context, view);
      // Several records: other projects have the name too, so the project must be named.
      const several = view.records.length > 1;
      const which = several ? ` --project ${project}` : "";
      const what = several ? "the records exist" : "the record exists";
      terminal.err(`\nOnce ${what}: ${program} domains verify ${view.domain} --wait${which}\n`);
      if (view.twin !== null) {
        terminal.err(
          `Add its twin too: ${program} domains add ${view.twin} --project ${project}\n`,
        );
      }
    },
  }),
  domainVerify,
  operation({
    path: "domains show",
    summary: "Show the status of a domain: its records, problems and certificate",
    details:
      "Shows the result of the last DNS check; `domains verify` checks now. A removed domain is shown for 30 days.",
    operands: { domain: domainOperand },
    flags: { project: domainProjectFlag },
    examples: ["domains show pets.shelter.org", "domains show pets.shelter.org --json"],
    call: (client, { flags, operands }) => findDomain(client, operands.domain, flags.project),
    show: (view, { context }) => writeDomain(context, view),
  }),
  operation({
    path: "domains share",
    summary: "Make a link that shows a DNS manager the records of a domain",
    details:
      "Without an account, the link shows the records to enter and what was found of them, and nothing else. It works until it expires or the domain is removed, and cannot be withdrawn.",
    operands: { domain: domainOperand },
    flags: {
      project: domainProjectFlag,
      days: optional({
        name: "days",
        placeholder: "N",
        help: `How many days the link works, at most ${MAX_SHARED_DAYS}. Default: ${SHARED_DAYS}.`,
        parse: integer({ min: 1, max: MAX_SHARED_DAYS }),
      }),
    },
    examples: ["domains share pets.shelter.org", "domains share pets.shelter.org --days 2"],
    call: async (client, { flags, operands }) => {
      const { id, project } = await findDomain(client, operands.domain, flags.project);
      const path = "POST /projects/:project/domains/:domain/share";
      const { days } = flags;
      const body = days === undefined ? {} : { days };
      return must(await client.call(path, { project, domain: id, body }));
    },
    show: async ({ url, token, expiresAt }, { context: { terminal } }) => {
      await terminal.out(`${url ?? token}\n`);
      terminal.err(`The link works until ${readableMinute(expiresAt)}.\n`);
    },
  }),
  operation({
    path: "domains list",
    summary: "List the domains of a project, of an account, or all",
    flags: {
      project: optionalText("project", "PROJECT", "Only those of this project."),
      account: accountFilter,
    },
    examples: ["domains list", "domains list --project brave-otter-1f2e --json"],
    before: ({ flags: { project, account } }) => {
      if (project !== undefined && account !== undefined) {
        throw new Failure(
          "usage",
          "A project belongs to one account: remove --account or --project.",
        );
      }
    },
    call: async ({ all }, { flags: { project, account } }) =>
      must(
        project === undefined
          ? await all("GET /domains", { query: { account } })
          : await all("GET /projects/:project/domains", { project }),
      ),
    show: async (views, { context: { terminal, program } }) => {
      if (views.length > 0) return writeDomains(terminal, views);
      terminal.err(`No domains. Add one: ${program} domains add DOMAIN --project PROJECT\n`);
    },
  }),
  operation({
    path: "domains redirect",
    summary: "Redirect a domain to another one of the same project",
    details:
      "Keeps path and query. Both domains must be added to the project, because visitors reach both over HTTPS. Loops and chains are rejected.",
    operands: {
      from: { ...domainOperand, placeholder: "FROM" },
      to: { placeholder: "TO", help: "Target of the redirect." },
    },
    flags: {
      status: optional({
        name: "status",
        placeholder: "STATUS",
        help: `HTTP status: ${redirectStatuses.join(", ")}. Default: 308, permanent and with the same method.`,
        parse: (written) => {
          const status = redirectStatuses.find((one) => String(one) === written);
          return status === undefined
            ? refused(`must be one of ${redirectStatuses.join(", ")}`)
            : done(status);
        },
      }),
      project: domainProjectFlag,
    },
    examples: [
      "domains redirect www.shelter.org shelter.org",
      "domains redirect old.shelter.org shelter.org --status 301",
    ],
    call: async (client, { flags, operands }) => {
      const found = await findDomain(client, operands.from, flags.project);
      return update(client, found, { redirectTo: operands.to, redirectStatus: flags.status });
    },
    show: async (view, { context }) => {
      await writeDomain(context, view);
      context.terminal.err(`\n${bothNames(view)} now redirects to ${view.redirectTo}.\n`);
    },
  }),
  operation({
    path: "domains primary",
    summary: "Make a domain show the site, and redirect the project's other domains to it",
    operands: { domain: domainOperand },
    flags: { project: domainProjectFlag },
    examples: ["domains primary shelter.org"],
    call: async (client, { flags, operands }) => {
      const found = await findDomain(client, operands.domain, flags.project);
      const view = await update(client, found, { role: "primary" });
      const { project } = found;
      return { view, all: must(await client.all("GET /projects/:project/domains", { project })) };
    },
    json: ({ view }) => view,
    show: async ({ view, all }, { context: { terminal } }) => {
      await writeDomains(terminal, all);
      terminal.err(`\n${bothNames(view)} now shows the site.\n`);
    },
  }),
  operation({
    path: "domains hsts",
    summary: "Make browsers refuse plain HTTP for a domain",
    details:
      "Browsers remember this for the whole duration: if you move the domain elsewhere before it expires, it needs HTTPS there too.",
    operands: { domain: domainOperand },
    flags: {
      for: withDefault(
        {
          name: "for",
          placeholder: "DURATION",
          help: "Duration, such as 60d; `off` stops sending the header. Default: 60d.",
          parse: (written) => (written === "off" ? done(0) : duration(written)),
        },
        SIXTY_DAYS_MS,
      ),
      project: domainProjectFlag,
    },
    examples: ["domains hsts pets.shelter.org", "domains hsts pets.shelter.org --for off"],
    call: async (client, { flags, operands }) => {
      const found = await findDomain(client, operands.domain, flags.project);
      return update(client, found, { hstsSeconds: Math.round(flags.for / 1_000) });
    },
    show: (view, { context }) => {
      const { hstsSeconds } = view;
      context.terminal.err(
        hstsSeconds === 0
          ? `${bothNames(view)} no longer sends Strict-Transport-Security.\n`
          : `Browsers will use only HTTPS for ${bothNames(view)}, for ${hstsSeconds} seconds.\n`,
      );
    },
  }),
  operation({
    path: "domains remove",
    summary: "Remove a domain from its project; it stops being served at once",
    details:
      "The certificate is kept for 30 days: if you add the domain to the same project again, it is live at once. Delete the DNS record yourself.",
    operands: { domain: domainOperand },
    flags: { project: domainProjectFlag, yes: yesFlag },
    examples: ["domains remove pets.shelter.org", "domains remove pets.shelter.org --yes"],
    call: async (client, { flags, operands, context }) => {
      const found = await findDomain(client, operands.domain, flags.project);
      const { project, domain, status, role } = found;
      if (status === "removed") return found;
      const others =
        role === "primary" ? " Its redirects will fail until another domain is primary." : "";
      const question = `Remove ${bothNames(found)} from ${project}? It goes offline.${others}`;
      await confirm(context.terminal, question, flags.yes);
      return must(
        await client.call("DELETE /projects/:project/domains/:domain", { project, domain }),
      );
    },
    show: ({ domain, project, headline }, { context: { terminal, program } }) => {
      const how = `${program} domains add ${domain} --project ${shellWord(project)}`;
      terminal.err(`${headline}\nRestore it within 30 days: ${how}\n`);
      terminal.err("Otherwise delete its DNS record too: it would send visitors nowhere.\n");
    },
  }),
  command({
    path: "domains explain",
    summary: "Check a name for problems, before you change anything",
    details:
      "The command only queries the DNS, and needs neither an added domain nor a data directory. Exit code 6: something would fail even with the right record; 75: the DNS did not answer.",
    operands: { domain: domainOperand },
    flags: clientFlags,
    examples: ["domains explain pets.shelter.org", "domains explain shelter.org --json"],
    run: async ({ flags, operands, context }) => {
      const { terminal, program } = context;
      const view = must(await explain(operands.domain, flags, context));
      const exit = explainExit(view);
      if (flags.json) {
        await writeJson(terminal, toWire(view));
        return exit;
      }
      await terminal.out(`${asTyped(explanationLines(view).join("\n"), program)}\n`);
      const { domain } = view;
      terminal.err(
        exit === "done"
          ? `\nAdd the domain to get the value: ${program} domains add ${domain} --project PROJECT\n`
          : `\n${exit === "notOk" ? "Once that is fixed" : "Try again"}: ${program} domains explain ${domain}\n`,
      );
      return exit;
    },
  }),
];

async function update(
  { call }: PetstoreClient,
  { project, domain }: DomainView,
  body: NonNullable<
    InputOf<PetstoreOperations["PATCH /projects/:project/domains/:domain"]>["body"]
  >,
): Promise<DomainView> {
  return must(await call("PATCH /projects/:project/domains/:domain", { project, domain, body }));
}

/** The next command for a refusal, after the name of the program. */
const hints: Partial<Record<Problem["code"], (project: string) => readonly [string, string]>> = {
  plan_required: () => ["An operator can change the plan:", "accounts plan ACCOUNT pro"],
  deploy_required: (project) => ["Deploy first:", `deploy --starter --project ${project}`],
  domain_exists: () => ["Find it:", "domains list"],
};

function withHint<Value>(
  result: Result<Value, Problem>,
  project: string,
  { program }: Context,
): Result<Value, Problem> {
  if (result.ok) return result;
  const { failure } = result;
  const hint = hints[failure.code]?.(shellWord(project));
  if (hint === undefined) return result;
  const [when, typed] = hint;
  return refused({ ...failure, message: `${failure.message} ${when} ${program} ${typed}` });
}

/** Explains a name by the service that the flags name, or in this process if no installation exists. */
async function explain(
  domain: string,
  flags: DestinationFlags,
  context: Context,
): Promise<Result<ExplanationView, Problem>> {
  const ask = ({ call }: PetstoreClient) => call("POST /domains/explain", { body: { domain } });
  if (destination(flags, context.environment).kind === "installation") {
    const loaded = await settingsFor(flags, context);
    if (!existsSync(dataDirectory(loaded.settings.dataDir).database)) {
      return withTransientService(loaded, context, ({ client }) => ask(client));
    }
  }
  return withClient(flags, context, ask);
}

function explainExit({ obstacles, zone }: ExplanationView): Exit {
  if (obstacles.some(isBlocking)) return "notOk";
  return zone === null ? "tryLater" : "done";
}

function isBlocking({ severity }: ExplanationView["obstacles"][number]): boolean {
  return severity === "blocking";
}

function explanationLines(view: ExplanationView): readonly string[] {
  const { headline, obstacles, changes, records, lookAlike } = view;
  return [
    bothNames(view),
    "",
    ...wrap(headline),
    ...section(
      obstacles.some(isBlocking) ? "Problems:" : "Notes:",
      obstacles.flatMap(findingLines),
    ),
    ...section("Changes needed:", changes.flatMap(findingLines)),
    ...section(
      "Records to create, once the domain is added:",
      recordLines(records, { states: false }),
    ),
    ...section("DNS provider:", providerLines(view)),
    ...(lookAlike === null
      ? []
      : ["", "The name has letters that look like those of another alphabet."]),
  ];
}

function providerLines({ zone, nameServers, provider }: ExplanationView): readonly string[] {
  if (zone === null) return [];
  const where = provider === null ? "" : ` at ${provider.name}`;
  const help = provider?.help ?? null;
  return [
    ...wrap(`The records of ${zone} are managed${where}. Its name servers:`, 78),
    ...nameServers,
    ...(help === null ? [] : [`How to add a record there: ${help}`]),
  ].map((line) => `  ${line}`);
}
