import { readableMinute } from "../lib/base/readable.ts";
import { revocationReasons } from "../domains/model/domain.ts";
import type { PetstoreClient } from "../domains/operations.ts";
import type { AuthorityAccountView, DomainView } from "../domains/view/shapes.ts";
import type { Problem } from "../lib/base/problem.ts";
import type { Result } from "../lib/base/result.ts";
import { Failure, must } from "../settings/failure.ts";
import { oneOf } from "../settings/values.ts";
import { optionalText, toggle, withDefault, type Command, type Context } from "./command.ts";
import { bothNames } from "./domain-view.ts";
import { domainOperand, domainProjectFlag, findDomain } from "./domain-verify.ts";
import { missingText } from "./missing.ts";
import { operation } from "./operation.ts";
import { confirm, createProgress, writeTable, yesFlag } from "./output.ts";

const authorityFlag = optionalText(
  "authority",
  "URL",
  "URL of the CA's directory. Default: the CA that new certificates are ordered from.",
);

export const certificateCommands: readonly Command[] = [
  operation({
    path: "certs list",
    summary: "List the certificates of custom domains and of the service's own hosts",
    examples: ["certs list", "certs list --json"],
    call: async ({ all }) => must(await all("GET /certificates")),
    show: async (certificates, { context: { terminal, program } }) => {
      if (certificates.length === 0) {
        terminal.err(
          `No certificates. The server's log says why an order failed. To order again: ${program} certs renew HOST\n`,
        );
        return;
      }
      await writeTable(
        terminal,
        ["DOMAIN", "PROJECT", "EXPIRES", "RENEWS", "ISSUER", "LAST FAILURE"],
        certificates.map(({ domain, project, notAfter, renewAt, issuer, reason }) => [
          domain,
          project ?? "(this service)",
          readableMinute(notAfter),
          readableMinute(renewAt),
          issuer,
          reason ?? "",
        ]),
      );
      for (const { domain, explanationUrl } of certificates) {
        if (explanationUrl === null) continue;
        terminal.err(`The CA explains why ${domain} must be renewed: ${explanationUrl}\n`);
      }
    },
  }),
  operation({
    path: "certs renew",
    summary: "Order the next certificate of a domain now",
    details:
      "Also for hosts of the service itself, such as the base domain. The server checks the DNS and then places the order, regardless of earlier failures and of waits that the CA asked for, and serves the current certificate until then. If it cannot place the order now, the command says why and exits with 1: the DNS is not correct, three certificates were ordered within a day, recent orders have failed repeatedly, or the CA takes no orders from the server and one was tried within the last minute. Each order counts towards the rate limits of the CA.",
    operands: { domain: domainOperand },
    flags: { project: domainProjectFlag },
    examples: ["certs renew pets.shelter.org"],
    call: async (client, { flags, operands }) =>
      ofHost(client, operands.domain, flags.project, {
        own: (host) => client.call("POST /certificates/:domain/renew", host),
        attached: (path) => client.call("POST /projects/:project/domains/:domain/renew", path),
      }),
    json: ({ view }) => view,
    show: ({ view, progress }, { context: { terminal, program } }) => {
      const { nextAttemptAt, reason } = view.certificate;
      const failed = reason === null ? "" : ` The last order failed: ${reason}`;
      const when = nextAttemptAt === null ? "" : ` Order on ${readableMinute(nextAttemptAt)}.`;
      terminal.err(
        `The server orders the next certificate of ${bothNames(view)}.${when}${failed} Progress: ${program} ${progress}\n`,
      );
    },
  }),
  operation({
    path: "certs rehearse",
    summary: "Try the whole renewal of a certificate at another CA",
    details:
      "Also for hosts of the service itself, such as the base domain. The server checks the DNS, creates an account and an order at the CA, answers its challenge, and checks the certificate that it gets; then it throws all of it away. Nothing that is served changes. By default it uses the staging environment of Let's Encrypt if that is the CA, else another configured CA. CAA records that name the account refuse a rehearsal, which has its own. Exit code 6: a part of the renewal failed.",
    operands: { domain: domainOperand },
    flags: {
      authority: optionalText(
        "authority",
        "URL",
        "URL of a configured CA's directory. Rate limits of the CA count the rehearsal.",
      ),
    },
    examples: ["certs rehearse pets.shelter.org"],
    call: async ({ call }, { operands: { domain }, flags: { authority }, context }) => {
      const progress = createProgress(context.terminal, context.clock, "");
      progress.say(`Trying the renewal of ${domain}`);
      const input = { domain, query: { authority } };
      return must(await call("POST /certificates/:domain/rehearse", input).finally(progress.clear));
    },
    show: async (rehearsal, { context: { terminal } }) => {
      const { domain, authority, passed, failed, reason, challenge, notAfter } = rehearsal;
      for (const part of passed) await terminal.out(`ok    ${part}\n`);
      if (failed !== null) await terminal.out(`FAIL  ${failed}: ${reason ?? ""}\n`);
      terminal.err(
        notAfter === null
          ? `The renewal of ${domain} would fail at ${authority}. Nothing was changed.\n`
          : `The renewal of ${domain} works at ${authority} by ${challenge ?? "an earlier proof"}; the certificate, valid until ${readableMinute(notAfter)}, was thrown away.\n`,
      );
    },
    exit: ({ failed }) => (failed === null ? "done" : "notOk"),
  }),
  operation({
    path: "certs export",
    summary: "Write a certificate and its private key to stdout, as PEM",
    details:
      "The key allows its holder to impersonate the domain. The domain's timeline records the export.",
    operands: { domain: domainOperand },
    flags: { project: domainProjectFlag, yes: yesFlag },
    examples: ["certs export pets.shelter.org --yes > pets.pem"],
    call: async (client, { flags, operands, context }) => {
      const found = await findDomain(client, operands.domain, flags.project);
      const question = `Export the private key of ${bothNames(found)}?`;
      await confirm(context.terminal, question, flags.yes);
      const { project, domain } = found;
      return must(
        await client.call("POST /projects/:project/domains/:domain/certificate/export", {
          project,
          domain,
        }),
      );
    },
    show: async ({ chain, privateKey }, { context: { terminal } }) => {
      await terminal.out(chain + privateKey);
      terminal.err(
        "The output contains the private key: store it where only its owner can read it.\n",
      );
    },
  }),
  operation({
    path: "certs revoke",
    summary: "Revoke the certificate of a domain",
    details:
      "If a project has the domain, the server first orders and serves another certificate, and then revokes the old one, at the latest a day later. keyCompromise blocks the old key permanently.",
    operands: { domain: domainOperand },
    flags: {
      project: domainProjectFlag,
      reason: withDefault(
        {
          name: "reason",
          placeholder: "REASON",
          help: "unspecified (default), keyCompromise, superseded or cessationOfOperation.",
          parse: oneOf(revocationReasons),
        },
        "unspecified",
      ),
      yes: yesFlag,
    },
    examples: ["certs revoke pets.shelter.org --reason keyCompromise --yes"],
    call: async (client, { flags: { project: named, reason, yes }, operands, context }) => {
      const agree = (host: string) =>
        confirm(context.terminal, `Revoke the certificate of ${host}?`, yes);
      return ofHost(client, operands.domain, named, {
        own: async (host) => {
          const hosts = must(await client.all("GET /certificates")).map(({ domain }) => domain);
          if (!hosts.includes(host.domain)) {
            const candidates = hosts.map((one) => ({ typed: one }));
            const what = "domain or host with a certificate";
            throw new Failure("notFound", missingText(what, host.domain, candidates));
          }
          await agree(host.domain);
          return client.call("POST /certificates/:domain/revoke", { ...host, body: { reason } });
        },
        attached: async (path) => {
          await agree(path.domain);
          return client.call("POST /projects/:project/domains/:domain/certificate/revoke", {
            ...path,
            body: { reason },
          });
        },
      });
    },
    json: ({ view }) => view,
    show: ({ view, progress }, { context: { terminal, program } }) =>
      terminal.err(
        `The server will revoke the certificate of ${bothNames(view)}. Progress: ${program} ${progress}\n`,
      ),
  }),
  operation({
    path: "certs account show",
    summary: "Show this service's account with its CA",
    details:
      "Queries the status of the account from the CA. Exit code 6: the account cannot order certificates.",
    examples: ["certs account show", "certs account show --json"],
    call: async ({ all }) => must(await all("GET /certificate-accounts")),
    show: (accounts, { context: { terminal } }) =>
      terminal.out(accounts.map(accountText).join("\n")),
    exit: (accounts) => (accounts.every(({ status }) => USABLE.has(status)) ? "done" : "notOk"),
  }),
  operation({
    path: "certs account rollover",
    summary: "Replace the key of this service's account with its CA",
    details:
      "The account stays the same, and so do CAA records that name it. Use this when the key may be compromised.",
    flags: { authority: authorityFlag, yes: yesFlag },
    examples: ["certs account rollover --yes"],
    before: ({ flags, context }) =>
      confirm(context.terminal, "Replace the key of the account?", flags.yes),
    call: async ({ call }, { flags: { authority } }) =>
      must(await call("POST /certificate-accounts/rollover", { query: { authority } })),
    show: (account, { context }) => showAccount(context, account, "The account has a new key."),
  }),
  operation({
    path: "certs account replace",
    summary: "Create a new account with the CA",
    details:
      "For a deactivated account, or one whose key is lost. The new account accepts the CA's terms of service. If CAA records of the CNAME target name the present account (accounturi), enter the new record beside it: the server switches once all name servers have had it for its TTL, and then starts orders that waited. Without such records it switches at once. Certificates stay valid.",
    flags: {
      authority: authorityFlag,
      force: toggle(
        "force",
        "Switch at once, whatever CAA records say: orders fail until they allow the new account.",
      ),
      cancel: toggle("cancel", "Cancel a pending replacement. The present account stays."),
      yes: yesFlag,
    },
    examples: ["certs account replace --yes", "certs account replace --cancel"],
    before: async ({ flags: { cancel, force, yes }, context }) => {
      if (cancel && force) throw new Failure("usage", "Use --cancel or --force, not both.");
      if (cancel) return;
      const question = "Create a new account, and accept the CA's terms of service?";
      await confirm(context.terminal, question, yes);
    },
    call: async ({ call }, { flags: { authority, cancel, force } }) =>
      must(
        cancel
          ? await call("POST /certificate-accounts/cancel-replacement", { query: { authority } })
          : await call("POST /certificate-accounts/replace", {
              query: { authority, ...(force && { force }) },
            }),
      ),
    show: (account, { context, flags: { cancel } }) =>
      showAccount(
        context,
        account,
        cancel ? "No replacement is pending." : replacementNews(account),
      ),
  }),
];

/** An account that does not exist yet is created by the first order. */
const USABLE: ReadonlySet<AuthorityAccountView["status"]> = new Set(["valid", "none"]);

type Changed = Promise<Result<DomainView, Problem>>;

/** Calls `own` for a host of the service itself, else `attached`; also returns the command that shows the progress. */
async function ofHost(
  client: PetstoreClient,
  typed: string,
  named: string | undefined,
  {
    own,
    attached,
  }: {
    readonly own: (path: { readonly domain: string }) => Changed;
    readonly attached: (path: { readonly project: string; readonly domain: string }) => Changed;
  },
) {
  const isOwn = async (): Promise<boolean> =>
    must(await client.all("GET /domains", { query: { domain: typed } })).length === 0;
  if (named === undefined && (await isOwn())) {
    return { view: must(await own({ domain: typed })), progress: "certs list" };
  }
  const { project, domain } = await findDomain(client, typed, named);
  const view = must(await attached({ project, domain }));
  return { view, progress: `domains show ${view.domain}` };
}

async function showAccount(
  { terminal }: Context,
  account: AuthorityAccountView,
  news: string,
): Promise<void> {
  await terminal.out(accountText(account));
  terminal.err(`${news}\n`);
}

/** Says what happens after `account replace`. */
function replacementNews({ successor }: AuthorityAccountView): string {
  if (successor === null) return "The new account places all further orders.";
  const { switchAt, caaRecord } = successor;
  if (switchAt !== null) {
    return `All name servers have the new CAA record. The new account takes over on ${readableMinute(switchAt)}; keep both records until then.`;
  }
  return caaRecord === null
    ? "The present account stays in use until the name servers show which CAA records apply."
    : `CAA records allow only the present account, which stays in use for now. Enter this record beside its record: ${caaRecord}`;
}

const NONE = "(none)";

function accountText(account: AuthorityAccountView): string {
  const { authority, url, status, problem, fix, contact, createdAt, replaced } = account;
  const { caaRecord, successor } = account;
  const rows = [
    ["Directory", authority],
    ["Account", url ?? "(created by the first order)"],
    ["Status", problem === null ? status : `${status}: ${problem}`],
    ...(fix === null ? [] : [["To do", fix]]),
    ["Contact", contact.join(", ") || NONE],
    ["EAB key ID", account.externalAccountKeyId ?? NONE],
    ["Key thumbprint", account.thumbprint ?? NONE],
    ["Terms", account.termsOfServiceUrl ?? NONE],
    ["Created", createdAt === null ? NONE : readableMinute(createdAt)],
    ...(caaRecord === null ? [] : [["CAA record", caaRecord]]),
    ...(successor === null
      ? []
      : [
          ["Successor", successor.url ?? "(not registered yet)"],
          ...(successor.caaRecord === null ? [] : [["Its CAA record", successor.caaRecord]]),
          [
            "Takes over",
            successor.switchAt === null
              ? "once all name servers have its CAA record"
              : readableMinute(successor.switchAt),
          ],
        ]),
    ...replaced.map((one) => ["Replaced", `${one.url} (${readableMinute(one.replacedAt)})`]),
  ];
  return rows.map(([name = "", value = ""]) => `${name.padEnd(16)}${value}\n`).join("");
}
