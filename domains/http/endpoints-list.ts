import { problem, type Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type {
  ManagementAnswer,
  ManagementCall,
  ManagementEndpoint,
  ManagementParameter,
} from "../../lib/management/endpoint.ts";
import { withBody } from "../../lib/management/endpoint.ts";
import { nextLink } from "../../lib/management/next-link.ts";
import {
  limitParameter,
  numberIn,
  textIn,
  textParameter,
} from "../../lib/management/parameters.ts";
import { present } from "../../lib/management/present.ts";
import type { Domains } from "../domains.ts";
import { ownerOf } from "./endpoints-domain.ts";
import { domainExample, explanationExample } from "./examples.ts";
import type { Looks } from "./looks.ts";
import { domainShape, domainsShape, explanationShape } from "./schemas.ts";
import { DomainNameSchema, MAX_DOMAIN_TEXT } from "./schemas-body.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

const parameters: readonly ManagementParameter[] = [
  textParameter(
    "domain",
    "Only this name, removed ones last; `account`, `after` and `limit` do nothing then.",
    {
      maxLength: MAX_DOMAIN_TEXT,
      rule: "must be a domain",
    },
  ),
  textParameter("account", "For operators: only those of this account.", {
    maxLength: 40,
    rule: "must be the id of an account",
    pattern: /^acc_[0-9A-Za-z]{1,16}$/,
  }),
  textParameter("after", "Only those that were added after the domain with this id.", {
    maxLength: 20,
    rule: "must be the id of a domain",
    pattern: /^dom_[0-9A-Za-z]{1,16}$/,
  }),
  limitParameter({ maximum: MAX_LIMIT, fallback: DEFAULT_LIMIT }),
];

const brokenOff = problem("unavailable", "The request was broken off.");

const listed = {
  status: 200,
  description: "The domains, in the order in which they were added.",
  schema: domainsShape,
  example: [domainExample],
} as const;

/** What is done with all domains of a project, and with names that need not be any. */
export function domainEndpointsOfMany(
  domains: Domains,
  looks: Looks,
): readonly ManagementEndpoint[] {
  return [
    {
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
      parameters,
      success: {
        ...listed,
        description: "One page; where there is more, `Link` leads to it.",
        headers: ["Link"],
      },
      refusals: [],
      handle: (call) => listDomains(call, domains),
    },
    withBody({
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
      parameters: [],
      body: DomainNameSchema,
      success: {
        status: 200,
        description: "What was found.",
        schema: explanationShape,
        example: explanationExample,
      },
      refusals: [],
      handle: (call) => looks.take(call, () => explain(call, domains)),
    }),
    {
      tag: "domains",
      access: "project",
      operationId: "listProjectDomains",
      method: "GET",
      path: "/projects/:project/domains",
      role: "viewer",
      summary: "List the domains of a project",
      description: "Without the removed ones; at most 100.",
      parameters: [],
      success: listed,
      refusals: [],
      handle: async ({ project }) =>
        done({ status: 200, value: await domains.ofProject(project.id) }),
    },
    withBody({
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
      parameters: [],
      body: DomainNameSchema,
      success: {
        status: 201,
        description: "The domain.",
        schema: domainShape,
        example: domainExample,
        headers: ["Location"],
      },
      refusals: ["plan_required", "deploy_required", "domain_exists", "limit_reached"],
      handle: async (call) => {
        const added = await domains.add(ownerOf(call), call.body.domain);
        if (!added.ok) return added;
        const location = `${call.base}/projects/${call.project.id}/domains/${added.value.domain}`;
        return done({ status: 201, value: added.value, headers: { location } });
      },
    }),
  ];
}

async function explain(
  { body, request }: ManagementCall<{ readonly domain: string }>,
  domains: Domains,
): Promise<Result<ManagementAnswer, Problem>> {
  try {
    const explained = await domains.explain(body.domain, request.signal);
    return explained.ok ? done({ status: 200, value: explained.value }) : explained;
  } catch (error) {
    // Whoever asked has gone: there is nobody to tell, and nothing to repair.
    if (request.signal.aborted) return refused(brokenOff);
    throw error;
  }
}

async function listDomains(
  call: ManagementCall,
  domains: Domains,
): Promise<Result<ManagementAnswer, Problem>> {
  const { principal, query } = call;
  const name = textIn(query, "domain");
  const accountId = principal.accountId ?? textIn(query, "account");
  if (name !== undefined) {
    const named = await domains.named(name, accountId);
    // No domain is called like that: then there is none.
    return done({ status: 200, value: named.ok ? named.value : [] });
  }
  const limit = numberIn(query, "limit") ?? DEFAULT_LIMIT;
  // One more than is shown tells whether there is more.
  const page = { ...present({ after: textIn(query, "after") }), limit: limit + 1 };
  const found = await (accountId === undefined
    ? domains.all(page)
    : domains.ofAccount(accountId, page));
  const value = found.slice(0, limit);
  const next = { after: value.at(-1)?.id, limit, account: textIn(query, "account") };
  return done({
    status: 200,
    value,
    headers: found.length > limit ? nextLink(call, "/domains", next) : {},
  });
}
