import { problem, type Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { endpoint, Reply, type ManagementCall } from "../../lib/management/endpoint.ts";
import { nextLink } from "../../lib/management/next-link.ts";
import { limitParameter, textParameter, type QueryOf } from "../../lib/http/parameters.ts";
import type { DomainView } from "../../lib/management/domain-view.ts";
import { present } from "../../lib/management/present.ts";
import type { Domains } from "../domains.ts";
import { ownerOf } from "./endpoints-domain.ts";
import { domainExample, explanationExample } from "./examples.ts";
import type { Looks } from "./looks.ts";
import { domainShape, domainsShape, explanationShape } from "./schemas.ts";
import { DomainNameSchema, MAX_DOMAIN_TEXT } from "./schemas-body.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

const parameters = {
  domain: textParameter(
    "Only this name, removed ones last; `account`, `after` and `limit` do nothing then.",
    {
      maxLength: MAX_DOMAIN_TEXT,
      rule: "must be a domain",
    },
  ),
  account: textParameter("For operators: only those of this account.", {
    maxLength: 40,
    rule: "must be the id of an account",
    pattern: /^acc_[0-9A-Za-z]{1,16}$/,
  }),
  after: textParameter("Only those that were added after the domain with this id.", {
    maxLength: 20,
    rule: "must be the id of a domain",
    pattern: /^dom_[0-9A-Za-z]{1,16}$/,
  }),
  limit: limitParameter({ maximum: MAX_LIMIT, fallback: DEFAULT_LIMIT }),
};

const brokenOff = problem("unavailable", "The request was broken off.");

const listed = {
  status: 200,
  description: "The domains, in the order in which they were added.",
  schema: domainsShape,
  example: [domainExample],
} as const;

/** What is done with all domains of a project, and with names that need not be any. */
export function domainEndpointsOfMany(domains: Domains, looks: Looks) {
  return [
    endpoint({
      tag: "domains",
      access: "platform",
      operationId: "listDomains",
      method: "GET",
      path: "/domains",
      role: "viewer",
      summary: "List domains",
      description:
        "Of all accounts for an operator, of their own for everybody else; without the removed ones, unless asked for " +
        "by name.",
      query: parameters,
      success: {
        ...listed,
        description: "One page; where there is more, `Link` leads to it.",
        headers: ["Link"],
      },
      refusals: [],
      run: (call) => listDomains(call, domains),
    }),
    endpoint({
      tag: "domains",
      access: "platform",
      operationId: "explainDomain",
      method: "POST",
      path: "/domains/explain",
      role: "viewer",
      summary: "Explain what a name would come up against",
      description:
        "Asks the DNS of a name that need not be attached anywhere: everything that would fail is told before any " +
        "record is changed. Takes ten seconds at most; a caller has five looks under way at a time.",
      body: DomainNameSchema,
      success: {
        status: 200,
        description: "What was found.",
        schema: explanationShape,
        example: explanationExample,
      },
      refusals: [],
      run: (call) => looks.take(call, () => explain(call, domains)),
    }),
    endpoint({
      tag: "domains",
      access: "project",
      operationId: "listProjectDomains",
      method: "GET",
      path: "/projects/:project/domains",
      role: "viewer",
      summary: "List the domains of a project",
      description: "Without the removed ones; at most 100.",
      success: listed,
      refusals: [],
      run: async ({ project }) => done(await domains.ofProject(project.id)),
    }),
    endpoint({
      tag: "domains",
      access: "project",
      operationId: "addDomain",
      method: "POST",
      path: "/projects/:project/domains",
      role: "staff",
      summary: "Add a domain",
      description:
        "Tells the records to enter at the DNS provider. The first domain of a project is primary, others lead to it. " +
        "Needs the plan Pro or one above it, and a deploy that is live. From then on the DNS is looked at by itself.",
      body: DomainNameSchema,
      success: {
        status: 201,
        description: "The domain.",
        schema: domainShape,
        example: domainExample,
        headers: ["Location"],
      },
      refusals: ["plan_required", "deploy_required", "domain_exists", "limit_reached"],
      run: async (call) => {
        const added = await domains.add(ownerOf(call), call.body.domain);
        if (!added.ok) return added;
        const location = `${call.base}/projects/${call.project.id}/domains/${added.value.domain}`;
        return done(new Reply(added.value, { headers: { location } }));
      },
    }),
  ];
}

async function explain(
  { body, request }: ManagementCall<{ readonly domain: string }>,
  domains: Domains,
): ReturnType<Domains["explain"]> {
  try {
    return await domains.explain(body.domain, request.signal);
  } catch (error) {
    // The client has disconnected: nothing is left to answer or to repair.
    if (request.signal.aborted) return refused(brokenOff);
    throw error;
  }
}

async function listDomains(
  call: ManagementCall<unknown, QueryOf<typeof parameters>>,
  domains: Domains,
): Promise<Result<Reply<readonly DomainView[]>, Problem>> {
  const { principal, query } = call;
  const { domain: name, after, limit = DEFAULT_LIMIT } = query;
  const accountId = principal.accountId ?? query.account;
  if (name !== undefined) {
    const named = await domains.named(name, accountId);
    // A name that no domain can have matches none.
    return done(new Reply(named.ok ? named.value : []));
  }
  // One more than is shown tells whether there is more.
  const page = { ...present({ after }), limit: limit + 1 };
  const found = await (accountId === undefined
    ? domains.all(page)
    : domains.ofAccount(accountId, page));
  const value = found.slice(0, limit);
  const next = { after: value.at(-1)?.id, limit, account: query.account };
  return done(
    new Reply(value, { headers: found.length > limit ? nextLink(call, "/domains", next) : {} }),
  );
}
