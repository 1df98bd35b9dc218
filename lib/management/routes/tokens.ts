import { done } from "../../base/result.ts";
import { endpoint } from "../endpoint.ts";
import {
  issuedTokenShape,
  NewAccountTokenSchema,
  NewTokenSchema,
  tokenShape,
  tokensShape,
} from "../schemas/token.ts";
import { issuedToken } from "./setup.ts";

const operators = {
  id: "8fJ2kQ0aZx",
  role: "operator",
  name: "laptop",
  status: "active",
  createdAt: "2026-11-20T09:30:00.000Z",
};
const members = { ...operators, role: "staff", accountId: "acc_8fJ2kQ0aZx1B" };
const revoked = { status: "revoked", revokedAt: "2026-11-21T08:00:00.000Z" };
const bearer = { token: "pet_manage_8fJ2kQ0aZx_…" };

export const tokenEndpoints = [
  endpoint({
    operationId: "listTokens",
    method: "GET",
    path: "/tokens",
    tag: "tokens",
    access: "platform",
    role: "operator",
    summary: "List the operators' tokens",
    description:
      "Newest first; those that no longer work are listed for 90 days, the newest 100 of them.",
    success: {
      status: 200,
      description: "All of them, without their secrets.",
      schema: tokensShape,
      example: [operators],
    },
    refusals: [],
    run: async (_call, { tokens }) => done(await tokens.list(undefined)),
  }),
  endpoint({
    operationId: "createToken",
    method: "POST",
    path: "/tokens",
    tag: "tokens",
    access: "platform",
    role: "operator",
    weighty: true,
    summary: "Make an operator's token",
    description: "It may do everything, with every account.",
    body: NewTokenSchema,
    success: {
      status: 201,
      description: "The token, at the only time it is shown.",
      schema: issuedTokenShape,
      example: { ...operators, ...bearer },
      headers: ["Location"],
    },
    refusals: ["invalid_value", "limit_reached"],
    run: async ({ body, principal, base }, { tokens }) => {
      const issued = await tokens.create({ ...body, role: "operator", by: principal });
      return issued.ok ? done(issuedToken(issued.value, base)) : issued;
    },
  }),
  endpoint({
    operationId: "revokeToken",
    method: "DELETE",
    path: "/tokens/:token",
    tag: "tokens",
    access: "platform",
    role: "operator",
    summary: "Revoke an operator's token",
    description: "Refused at once, within a second by every process. It cannot be undone.",
    success: {
      status: 200,
      description: "The token as it is now.",
      schema: tokenShape,
      example: { ...operators, ...revoked },
    },
    refusals: ["not_found"],
    run: ({ params: { token } }, { tokens }) => tokens.revoke(token, undefined),
  }),
  endpoint({
    operationId: "listAccountTokens",
    method: "GET",
    path: "/accounts/:account/tokens",
    tag: "tokens",
    access: "account",
    role: "owner",
    summary: "List an account's tokens",
    description:
      "Newest first; those that no longer work are listed for 90 days, the newest 100 of them.",
    success: {
      status: 200,
      description: "All of them, without their secrets.",
      schema: tokensShape,
      example: [members],
    },
    refusals: [],
    run: async ({ account }, { tokens }) => done(await tokens.list(account.id)),
  }),
  endpoint({
    operationId: "createAccountToken",
    method: "POST",
    path: "/accounts/:account/tokens",
    tag: "tokens",
    access: "account",
    role: "owner",
    weighty: true,
    summary: "Make a token of an account",
    description:
      "`viewer` reads, `staff` changes animals and sites, `owner` does everything within the account. Nobody makes a token that may do more than they.",
    body: NewAccountTokenSchema,
    success: {
      status: 201,
      description: "The token, at the only time it is shown.",
      schema: issuedTokenShape,
      example: { ...members, ...bearer },
      headers: ["Location"],
    },
    refusals: ["invalid_value", "limit_reached"],
    run: async ({ body, principal, account, base }, { tokens }) => {
      const issued = await tokens.create({ ...body, accountId: account.id, by: principal });
      return issued.ok ? done(issuedToken(issued.value, base)) : issued;
    },
  }),
  endpoint({
    operationId: "revokeAccountToken",
    method: "DELETE",
    path: "/accounts/:account/tokens/:token",
    tag: "tokens",
    access: "account",
    role: "owner",
    summary: "Revoke a token of an account",
    description: "Refused at once, within a second by every process. It cannot be undone.",
    success: {
      status: 200,
      description: "The token as it is now.",
      schema: tokenShape,
      example: { ...members, ...revoked },
    },
    refusals: ["not_found"],
    run: ({ params: { token }, account }, { tokens }) => tokens.revoke(token, account.id),
  }),
];
