import type { Actor } from "../../lib/model/actor.ts";
import { memberNamed, membersOf } from "../../lib/model/audit-types.ts";
import { problem, type Problem } from "../../lib/base/problem.ts";
import { done, refused } from "../../lib/base/result.ts";
import { limitParameter, textParameter } from "../../lib/http/parameters.ts";
import { endpoint, Reply } from "../../lib/http/endpoint.ts";
import { anyone, inProject, noStore, onPlatform } from "../../lib/management/endpoint.ts";
import { pageOf } from "../../lib/management/next-link.ts";
import { withoutUndefined } from "../../lib/base/without-undefined.ts";
import { wantsEvents } from "../../lib/management/sse.ts";
import { addDomain, removeDomain } from "../actions/add-domain.ts";
import { suggestDomains } from "../actions/apply-site-map.ts";
import { explainDomain, verifyDomain } from "../actions/check-domain.ts";
import { readSharedDomain, shareDomain } from "../actions/share-domain.ts";
import type { DomainsContext } from "../actions/context.ts";
import { readConfig, updateDomain, writeConfig } from "../actions/domains-config.ts";
import {
  allDomains,
  domainsNamed,
  domainsOfAccount,
  domainsOfProject,
  readDomain,
} from "../actions/show-domain.ts";
import {
  domainShape,
  domainsShape,
  explanationShape,
  sharedDomainShape,
  shareLinkShape,
  suggestionsShape,
} from "../view/shapes.ts";
import { certificateEndpoints, ownerOf } from "./endpoints-certificate.ts";
import {
  configExample,
  domainExample,
  explanationExample,
  sharedDomainExample,
  shareLinkExample,
  suggestionExample,
} from "./examples.ts";
import { domainEvents, followDomain } from "./follow-domain.ts";
import { createCheckLimit } from "./check-limit.ts";
import {
  DomainNameSchema,
  DomainPatchSchema,
  DomainsConfigSchema,
  MAX_DOMAIN_TEXT,
  SHARED_DAYS,
  ShareLinkSchema,
  ShareTokenSchema,
} from "../view/bodies.ts";

/** The operations on custom domains, for the option `more` of `createManagement`. */
export function domainEndpoints(contextFor: (actor: Actor) => DomainsContext) {
  return [...domainOperations(contextFor), ...certificateEndpoints(contextFor)] as const;
}

const PATH = "/projects/:project/domains/:domain";

const one = {
  status: 200,
  description: "The domain.",
  schema: domainShape,
  example: domainExample,
} as const;

const listed = {
  status: 200,
  description: "The domains in the order in which they were added.",
  schema: domainsShape,
  example: [domainExample],
} as const;

const configured = {
  status: 200,
  description: "The map.",
  schema: DomainsConfigSchema,
  example: configExample,
} as const;

function domainOperations(contextFor: (actor: Actor) => DomainsContext) {
  const checks = createCheckLimit();
  return [
    endpoint({
      tag: "domains",
      access: onPlatform("viewer"),
      operationId: "listDomains",
      method: "GET",
      path: "/domains",
      summary: "List domains",
      description:
        "Operators see the domains of all accounts, other callers those of their own account. Removed domains are listed " +
        "only with the parameter `domain`.",
      query: {
        domain: textParameter(
          "Lists only domains with this name, removed ones last. `account`, `after` and `limit` are ignored.",
          { maxLength: MAX_DOMAIN_TEXT, rule: "must be a domain" },
        ),
        account: textParameter("For operators: lists only the domains of this account.", {
          maxLength: 40,
          rule: "must be the ID of an account",
          pattern: /^acc_[0-9A-Za-z]{1,16}$/,
        }),
        after: textParameter("Lists only domains added after the one with this ID.", {
          maxLength: 20,
          rule: "must be the ID of a domain",
          pattern: /^dom_[0-9A-Za-z]{1,16}$/,
        }),
        limit: limitParameter({ maximum: 200, fallback: 50 }),
      },
      success: {
        ...listed,
        description: "One page. `Link` leads to the next one, if there is one.",
        headers: ["Link"],
      },
      refusals: [],
      run: async (call) => {
        const { domain, account, after, limit } = call.query;
        const accountId = call.principal.accountId ?? account;
        if (domain !== undefined)
          return done(await domainsNamed(contextFor(call.actor), domain, accountId));
        // One more than requested shows whether there is another page.
        const page = { ...withoutUndefined({ after }), limit: limit + 1 };
        const found = await (accountId === undefined
          ? allDomains(contextFor(call.actor), page)
          : domainsOfAccount(contextFor(call.actor), accountId, page));
        const { rows, headers } = pageOf(call, "/domains", found, { limit, account });
        return done(new Reply(rows, { headers }));
      },
    }),
    endpoint({
      tag: "domains",
      access: onPlatform("viewer"),
      operationId: "explainDomain",
      method: "POST",
      path: "/domains/explain",
      summary: "Check a name for problems",
      description:
        "Checks the DNS of any name, added or not, and reports what would fail, before you change a record. Takes at most " +
        "ten seconds. A caller can run five checks at a time.",
      body: DomainNameSchema,
      success: {
        status: 200,
        description: "What the check found.",
        schema: explanationShape,
        example: explanationExample,
      },
      refusals: [],
      run: (call, services) =>
        checks.take(call, services, async () => {
          const { signal } = call.request;
          try {
            return await explainDomain(contextFor(call.actor), call.body.domain, signal);
          } catch (error) {
            // The caller has disconnected.
            if (signal.aborted) return refused(disconnected);
            throw error;
          }
        }),
    }),
    endpoint({
      tag: "domains",
      access: inProject("viewer"),
      operationId: "listProjectDomains",
      method: "GET",
      path: "/projects/:project/domains",
      summary: "List the domains of a project",
      description: "Without removed domains; at most 100.",
      success: listed,
      refusals: [],
      run: async ({ project, actor }) =>
        done(await domainsOfProject(contextFor(actor), project.id)),
    }),
    endpoint({
      tag: "domains",
      access: inProject("staff"),
      operationId: "addDomain",
      method: "POST",
      path: "/projects/:project/domains",
      summary: "Add a domain",
      description:
        "Returns the records to enter at the DNS provider. The first domain of a project is primary; others redirect to it. " +
        "Requires the Pro plan or higher and a live deploy. From then on the DNS is checked automatically.",
      body: DomainNameSchema,
      success: { ...one, status: 201, headers: ["Location"] },
      refusals: ["plan_required", "deploy_required", "domain_exists", "limit_reached"],
      run: async (call) => {
        const added = await addDomain(contextFor(call.actor), ownerOf(call), call.body.domain);
        if (!added.ok) return added;
        const location = `${call.base}/projects/${call.project.id}/domains/${added.value.domain}`;
        return done(new Reply(added.value, { headers: { location } }));
      },
    }),
    endpoint({
      tag: "domains",
      access: inProject("viewer"),
      operationId: "getDomainsConfig",
      method: "GET",
      path: "/projects/:project/domains-config",
      summary: "Get the primary domain and the redirects",
      description:
        "Returns which domain shows the site, and which domains redirect to another one.",
      success: configured,
      refusals: [],
      run: async ({ project, actor }) => done(await readConfig(contextFor(actor), project.id)),
    }),
    endpoint({
      tag: "domains",
      access: inProject("staff"),
      operationId: "putDomainsConfig",
      records: ({ params, body }) => ({
        type: "domain.updated",
        data: { projectId: params["project"] },
        changed: membersOf(body),
      }),
      method: "PUT",
      path: "/projects/:project/domains-config",
      summary: "Replace the primary domain and the redirects",
      description:
        "Replaces all of them or changes nothing. Every name must be a domain of the project. Domains that the body does " +
        "not name redirect to the primary one. Loops, chains and redirects of the primary domain are rejected.",
      body: DomainsConfigSchema,
      success: configured,
      refusals: [],
      run: (call) => writeConfig(contextFor(call.actor), ownerOf(call), call.body),
    }),
    endpoint({
      tag: "domains",
      access: inProject("viewer"),
      operationId: "listDomainSuggestions",
      method: "GET",
      path: "/projects/:project/domain-suggestions",
      summary: "List the missing domains of the site file",
      description:
        "Lists the `domains` of the live deploy's `petstore.site.json` that have no effect yet, because they are not added " +
        "or not verified.",
      success: {
        status: 200,
        description: "The names in the order of the file.",
        schema: suggestionsShape,
        example: [suggestionExample],
      },
      refusals: [],
      run: async ({ project, actor }) => done(await suggestDomains(contextFor(actor), project.id)),
    }),
    endpoint({
      tag: "domains",
      access: inProject("viewer"),
      operationId: "getDomain",
      method: "GET",
      path: PATH,
      summary: "Get or follow a domain",
      description:
        "Includes the findings of the last check, the records to enter and the timeline. A removed domain is shown for " +
        "30 days. With `Accept: text/event-stream` the response stays open.",
      success: { ...one, events: domainEvents },
      refusals: ["not_found", "limit_reached"],
      run: async (call, services) => {
        const owner = ownerOf(call);
        const shown = await readDomain(contextFor(call.actor), owner, call.params.domain);
        if (!shown.ok || !wantsEvents(call.request)) return shown;
        return followDomain(call, services, contextFor(call.actor), { owner, id: shown.value.id });
      },
    }),
    endpoint({
      tag: "domains",
      access: inProject("staff"),
      operationId: "verifyDomain",
      method: "POST",
      path: `${PATH}/verify`,
      summary: "Verify a domain",
      description:
        "Checks the DNS now and answers within ten seconds, whatever the findings are. Restarts paused checks, and an order " +
        "that is waiting for its next attempt. A caller can run five checks at a time.",
      success: one,
      refusals: ["not_found"],
      run: (call, services) =>
        checks.take(call, services, () =>
          verifyDomain(contextFor(call.actor), ownerOf(call), call.params.domain),
        ),
    }),
    endpoint({
      tag: "domains",
      access: inProject("staff"),
      operationId: "shareDomain",
      records: ({ params, body }) => ({
        type: "domain.shared",
        data: { domain: params["domain"], days: memberNamed(body, "days") },
      }),
      method: "POST",
      path: `${PATH}/share`,
      summary: "Share the records of a domain",
      description:
        "Makes a link for the person who manages the DNS. Without an account, it shows the records to enter and what was " +
        "found of them, and nothing else. It works until it expires or the domain is removed, and cannot be withdrawn.",
      body: ShareLinkSchema,
      success: {
        status: 201,
        description: "The link.",
        schema: shareLinkShape,
        example: shareLinkExample,
      },
      refusals: ["not_found"],
      run: async (call) => {
        const { domain } = call.params;
        const { days = SHARED_DAYS } = call.body;
        const made = await shareDomain(contextFor(call.actor), ownerOf(call), { domain, days });
        return made.ok ? done(new Reply(made.value, { headers: noStore })) : made;
      },
    }),
    endpoint({
      tag: "domains",
      access: anyone(),
      operationId: "readSharedDomain",
      method: "POST",
      path: "/shared-domain",
      summary: "Show a shared domain",
      description: "Shows the records of a domain to the holder of a share link. Changes nothing.",
      body: ShareTokenSchema,
      success: {
        status: 200,
        description: "The domain.",
        schema: sharedDomainShape,
        example: sharedDomainExample,
      },
      refusals: ["not_found"],
      run: async (call) => {
        const shown = await readSharedDomain(contextFor(call.actor), call.body.token);
        return shown.ok ? done(new Reply(shown.value, { headers: noStore })) : shown;
      },
    }),
    endpoint({
      tag: "domains",
      access: inProject("staff"),
      operationId: "updateDomain",
      records: ({ body }, value) => ({
        type: "domain.updated",
        data: { domain: memberNamed(value, "domain") },
        changed: membersOf(body),
      }),
      method: "PATCH",
      path: PATH,
      summary: "Update a domain",
      description:
        "Makes it primary, redirects it to another domain of the project, or sets how long browsers require HTTPS. Absent " +
        "members stay unchanged.",
      body: DomainPatchSchema,
      success: one,
      refusals: ["not_found"],
      run: (call) =>
        updateDomain(
          contextFor(call.actor),
          ownerOf(call),
          call.params.domain,
          withoutUndefined(call.body),
        ),
    }),
    endpoint({
      tag: "domains",
      access: inProject("owner"),
      operationId: "removeDomain",
      method: "DELETE",
      path: PATH,
      summary: "Remove a domain",
      description:
        "Stops serving it at once. Its certificate is kept for 30 days: added again to the same project, the domain is served " +
        "at once.",
      success: { ...one, description: "The removed domain." },
      refusals: ["not_found"],
      run: (call) => removeDomain(contextFor(call.actor), ownerOf(call), call.params.domain),
    }),
  ] as const;
}

const disconnected: Problem = problem("unavailable", "The client disconnected.");
