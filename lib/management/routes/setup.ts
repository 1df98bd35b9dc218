import { done } from "../../base/result.ts";
import type { ValueOf } from "../../base/schema.ts";
import { planLimits, plans } from "../../model/account.ts";
import type { IssuedToken } from "../../accounts/token-store.ts";
import { viewOfCaller } from "../../accounts/principal.ts";
import { endpoint, Reply } from "../endpoint.ts";
import { plansShape } from "../schemas/account.ts";
import {
  issuedTokenShape,
  meShape,
  SetupCheckSchema,
  SetupClaimSchema,
  setupLinkShape,
  setupStatusShape,
} from "../schemas/token.ts";

export const setupEndpoints = [
  endpoint({
    operationId: "getMe",
    method: "GET",
    path: "/me",
    tag: "setup",
    access: "platform",
    role: "viewer",
    summary: "Who am I",
    description: "What the management API takes the caller for.",
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
    access: "platform",
    role: "viewer",
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
    access: "platform",
    role: "operator",
    weighty: true,
    summary: "Make a setup link",
    description:
      "Makes the one link that an operator's token can be had by: for 30 minutes, and once. Earlier links are void.",
    success: {
      status: 201,
      description: "The link. Its token stands in the fragment, which is never sent to a server.",
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
        new Reply({ url: `${setupAddress}#${setupToken}`, expiresAt }, { headers: secret }),
      );
    },
  }),
  endpoint({
    operationId: "claimSetup",
    method: "POST",
    path: "/setup",
    tag: "setup",
    access: "anyone",
    summary: "Trade a setup link for a token",
    description:
      "Answers with an operator's management token, once. Failed attempts are counted by the client's address.",
    body: SetupClaimSchema,
    success: {
      status: 201,
      description: "The token, at the only time it is shown.",
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
    run: async ({ body: { token, name }, base }, { tokens }) => {
      const claimed = await tokens.claim(token, name);
      return claimed.ok ? done(issuedToken(claimed.value, base)) : claimed;
    },
  }),
  endpoint({
    operationId: "checkSetupLink",
    method: "POST",
    path: "/setup/check",
    tag: "setup",
    access: "anyone",
    summary: "Ask whether a setup link is good",
    description:
      "Takes nothing: the link stays as good as it was. Failed attempts are counted by the client's address.",
    body: SetupCheckSchema,
    success: {
      status: 200,
      description: "It is good, until then.",
      schema: setupStatusShape,
      example: { expiresAt: "2026-11-20T10:00:00.000Z" },
    },
    refusals: ["invalid_setup_token"],
    run: async ({ body: { token } }, { tokens }) => {
      const link = await tokens.setupLinkOf(token);
      if (!link.ok) return link;
      return done(new Reply({ expiresAt: link.value.expiresAt }, { headers: secret }));
    },
  }),
];

/** Kept by nobody on the way. */
export const secret: Readonly<Record<string, string>> = { "cache-control": "no-store" };

/** A token with its secret, which is shown only once. */
export function issuedToken(
  { view, token }: IssuedToken,
  base: string,
): Reply<ValueOf<typeof issuedTokenShape>> {
  const { id, accountId } = view;
  const owner = accountId === undefined ? "" : `/accounts/${accountId}`;
  const headers = { ...secret, location: `${base}${owner}/tokens/${id}` };
  return new Reply({ ...view, token }, { headers });
}
