import type { Problem } from "../../base/problem.ts";
import { done, type Result } from "../../base/result.ts";
import type { ValueOf } from "../../base/schema.ts";
import { planLimits, plans } from "../../model/account.ts";
import type { IssuedToken } from "../token-store.ts";
import { viewOfCaller } from "../principal.ts";
import { endpoint, Reply } from "../../http/endpoint.ts";
import { noStore, anyone, onPlatform } from "../../management/endpoint.ts";
import { plansShape } from "../shapes/account.ts";
import {
  issuedTokenShape,
  meShape,
  SetupCheckSchema,
  SetupClaimSchema,
  setupLinkShape,
  setupStatusShape,
} from "../shapes/token.ts";

export const setupEndpoints = [
  endpoint({
    operationId: "getMe",
    method: "GET",
    path: "/me",
    tag: "setup",
    access: onPlatform("viewer"),
    summary: "Get the caller",
    description: "The caller's role, account and name.",
    success: {
      status: 200,
      description: "The caller.",
      schema: meShape,
      example: { role: "owner", accountId: "acc_8fJ2kQ0aZx1B", name: "laptop" },
    },
    refusals: [],
    run: ({ principal }) => done(viewOfCaller(principal)),
  }),
  endpoint({
    operationId: "listPlans",
    method: "GET",
    path: "/plans",
    tag: "setup",
    access: onPlatform("viewer"),
    summary: "List plans",
    description: "The plans and their limits. Those of enterprise are agreed individually.",
    success: {
      status: 200,
      description: "All plans.",
      schema: plansShape,
      example: [
        { plan: "free", limits: planLimits.free },
        { plan: "pro", limits: planLimits.pro },
        { plan: "business", limits: planLimits.business },
        { plan: "enterprise" },
      ],
    },
    refusals: [],
    run: () =>
      done(
        plans.map((plan) =>
          plan === "enterprise" ? { plan } : { plan, limits: planLimits[plan] },
        ),
      ),
  }),
  endpoint({
    operationId: "createSetupLink",
    method: "POST",
    path: "/setup-links",
    tag: "setup",
    access: onPlatform("operator", { sensitive: true }),
    summary: "Create a setup link",
    description:
      "Creates a link to exchange for an operator's token. It is valid once, for 30 minutes, and replaces an earlier link.",
    success: {
      status: 201,
      description: "The link. Its token is in the fragment, which browsers do not send.",
      schema: setupLinkShape,
      example: {
        url: "https://pets.example.org/setup#pet_setup_8fJ2kQ0aZx_…",
        expiresAt: "2026-11-20T10:00:00.000Z",
      },
    },
    refusals: [],
    run: async (_call, { tokens, setupAddress }) => {
      const { setupToken, expiresAt } = await tokens.setupLink();
      return done(
        new Reply({ url: `${setupAddress}#${setupToken}`, expiresAt }, { headers: noStore }),
      );
    },
  }),
  endpoint({
    operationId: "claimSetup",
    method: "POST",
    path: "/setup",
    tag: "setup",
    access: anyone(),
    summary: "Exchange a setup link for a token",
    description:
      "Returns an operator's management token, once. Failed attempts are counted by client address.",
    body: SetupClaimSchema,
    success: {
      status: 201,
      description: "The token. Its secret is shown only here.",
      schema: issuedTokenShape,
      example: {
        id: "8fJ2kQ0aZx",
        role: "operator",
        name: "first",
        status: "active",
        createdAt: "2026-11-20T09:30:00.000Z",
        token: "pet_manage_8fJ2kQ0aZx_…",
      },
      headers: ["Location"],
    },
    refusals: ["invalid_setup_token", "invalid_value", "limit_reached"],
    run: async ({ body: { token, name }, base }, { tokens }) =>
      issuedToken(await tokens.claim(token, name), base),
  }),
  endpoint({
    operationId: "checkSetupLink",
    method: "POST",
    path: "/setup/check",
    tag: "setup",
    access: anyone(),
    summary: "Check a setup link",
    description:
      "Returns the link's expiry without using the link. Failed attempts are counted by client address.",
    body: SetupCheckSchema,
    success: {
      status: 200,
      description: "The link is valid.",
      schema: setupStatusShape,
      example: { expiresAt: "2026-11-20T10:00:00.000Z" },
    },
    refusals: ["invalid_setup_token"],
    run: async ({ body: { token } }, { tokens }) => {
      const link = await tokens.setupLinkOf(token);
      if (!link.ok) return link;
      return done(new Reply({ expiresAt: link.value.expiresAt }, { headers: noStore }));
    },
  }),
];

/** Returns the reply with a new token and its secret. */
export function issuedToken(
  issued: Result<IssuedToken, Problem>,
  base: string,
): Result<Reply<ValueOf<typeof issuedTokenShape>>, Problem> {
  if (!issued.ok) return issued;
  const { view, token } = issued.value;
  const { id, accountId } = view;
  const owner = accountId === undefined ? "" : `/accounts/${accountId}`;
  const headers = { ...noStore, location: `${base}${owner}/tokens/${id}` };
  return done(new Reply({ ...view, token }, { headers }));
}
