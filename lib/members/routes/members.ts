import type { Actor } from "../../model/actor.ts";
import { done } from "../../base/result.ts";
import { memberParameter } from "../../http/member-parameter.ts";
import { endpoint } from "../../http/endpoint.ts";
import { inAccount, onPlatform } from "../../management/endpoint.ts";
import {
  changeRole,
  createMember,
  findMember,
  listMembers,
  removeMember,
  resetLinkOf,
} from "../actions/members.ts";
import type { MemberContext } from "../context.ts";
import {
  EmailSchema,
  memberExample,
  memberShape,
  membersShape,
  MemberUpdateSchema,
  newcomerShape,
  NewMemberSchema,
  NewOperatorSchema,
  operatorExample,
  resetLinkExample,
  newLinkShape,
} from "../schemas.ts";
import { invitationOf, secretly } from "./call.ts";

const byEmail = memberParameter(EmailSchema, {
  description: "Returns the member with this email address, of any account.",
  rule: "must be an email address",
});

const operators = { tag: "members", access: onPlatform("operator") } as const;
const people = { tag: "members", access: inAccount("owner") } as const;

const newcomerText =
  "Returns a link for choosing the password, valid once and for a day. If a mail server is configured, the link is also sent to the member.";

const newLink = {
  description:
    "Valid once, for a day; it replaces an earlier link. Nothing else changes until it is used. If a mail server is configured, a member who has not chosen a password yet also gets the link by mail.",
  success: {
    status: 201,
    description: "The link, which is shown only once.",
    schema: newLinkShape,
    example: { ...resetLinkExample, mailed: false },
  },
  refusals: ["not_found"],
} as const;

/** The operators of the installation and the members of accounts. */
export function memberAdminEndpoints(contextFor: (actor: Actor) => MemberContext) {
  return [
    endpoint({
      ...operators,
      operationId: "listMembers",
      method: "GET",
      path: "/members",
      query: { email: byEmail },
      summary: "List the operators",
      description: "Oldest first; with `email`, the member with that address in any account.",
      success: {
        status: 200,
        description: "The members.",
        schema: membersShape,
        example: [operatorExample],
      },
      refusals: [],
      run: async ({ query: { email }, actor }) =>
        done(
          await (email === undefined
            ? listMembers(contextFor(actor), undefined)
            : findMember(contextFor(actor), email)),
        ),
    }),
    endpoint({
      ...operators,
      operationId: "createMember",
      method: "POST",
      path: "/members",
      access: onPlatform("operator", { sensitive: true }),
      summary: "Add an operator",
      description: newcomerText,
      body: NewOperatorSchema,
      success: {
        status: 201,
        description: "The operator, and the link, which is shown only once.",
        schema: newcomerShape,
        example: {
          member: { ...operatorExample, status: "pending" },
          link: resetLinkExample,
          mailed: false,
        },
      },
      refusals: ["member_exists", "invalid_value", "limit_reached"],
      run: async ({ body: { mail = true, language, ...body }, ...call }) => {
        const invitation = invitationOf(call, { language });
        const member = { ...body, role: "operator" } as const;
        const context = contextFor(call.actor);
        return secretly(await createMember(context, member, mail ? invitation : undefined));
      },
    }),
    endpoint({
      ...operators,
      operationId: "createMemberResetLink",
      method: "POST",
      path: "/members/:member/reset-link",
      access: onPlatform("operator", { sensitive: true }),
      summary: "Create a password link for an operator",
      ...newLink,
      run: async ({ params: { member }, ...call }) => {
        const invitation = invitationOf(call, {});
        return secretly(await resetLinkOf(contextFor(call.actor), member, { invitation }));
      },
    }),
    endpoint({
      ...operators,
      operationId: "removeMember",
      method: "DELETE",
      path: "/members/:member",
      access: onPlatform("operator", { sensitive: true }),
      summary: "Remove an operator",
      description:
        "Ends the operator's sessions within a second. The last operator who can sign in cannot be removed.",
      success: { status: 204, description: "The member was removed." },
      refusals: ["not_found", "last_operator"],
      run: ({ params: { member }, actor }) => removeMember(contextFor(actor), member, undefined),
    }),

    endpoint({
      ...people,
      operationId: "listAccountMembers",
      method: "GET",
      path: "/accounts/:account/members",
      access: inAccount("viewer"),
      summary: "List the members of an account",
      description: "Oldest first.",
      success: {
        status: 200,
        description: "The members.",
        schema: membersShape,
        example: [memberExample],
      },
      refusals: [],
      run: async ({ account, actor }) => done(await listMembers(contextFor(actor), account.id)),
    }),
    endpoint({
      ...people,
      operationId: "createAccountMember",
      method: "POST",
      path: "/accounts/:account/members",
      access: inAccount("owner", { sensitive: true }),
      summary: "Add a member to an account",
      description: newcomerText,
      body: NewMemberSchema,
      success: {
        status: 201,
        description: "The member, and the link, which is shown only once.",
        schema: newcomerShape,
        example: { member: memberExample, link: resetLinkExample, mailed: true },
      },
      refusals: ["member_exists", "invalid_value", "limit_reached"],
      run: async ({ body: { mail = true, language, ...body }, account, ...call }) => {
        const invitation = invitationOf(call, { account: account.name, language });
        const member = { ...body, accountId: account.id };
        const context = contextFor(call.actor);
        return secretly(await createMember(context, member, mail ? invitation : undefined));
      },
    }),
    endpoint({
      ...people,
      operationId: "updateAccountMember",
      method: "PATCH",
      path: "/accounts/:account/members/:member",
      access: inAccount("owner", { sensitive: true }),
      summary: "Change the role of a member of an account",
      description:
        "Takes effect in the member's sessions: at once in this process, within a second in others.",
      body: MemberUpdateSchema,
      success: {
        status: 200,
        description: "The updated member.",
        schema: memberShape,
        example: { ...memberExample, role: "owner" },
      },
      refusals: ["not_found"],
      run: ({ params: { member }, account, body: { role }, actor }) =>
        changeRole(contextFor(actor), member, { accountId: account.id, role }),
    }),
    endpoint({
      ...people,
      operationId: "createAccountMemberResetLink",
      method: "POST",
      path: "/accounts/:account/members/:member/reset-link",
      access: inAccount("owner", { sensitive: true }),
      summary: "Create a password link for a member of an account",
      ...newLink,
      run: async ({ params: { member }, account, ...call }) => {
        const invitation = invitationOf(call, { account: account.name });
        const of = { accountId: account.id, invitation };
        return secretly(await resetLinkOf(contextFor(call.actor), member, of));
      },
    }),
    endpoint({
      ...people,
      operationId: "removeAccountMember",
      method: "DELETE",
      path: "/accounts/:account/members/:member",
      access: inAccount("owner", { sensitive: true }),
      summary: "Remove a member from an account",
      description: "Ends the member's sessions within a second.",
      success: { status: 204, description: "The member was removed." },
      refusals: ["not_found"],
      run: ({ params: { member }, account, actor }) =>
        removeMember(contextFor(actor), member, account.id),
    }),
  ];
}
