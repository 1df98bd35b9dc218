import { done } from "../../base/result.ts";
import { endpoint, Reply } from "../../management/endpoint.ts";
import { secret } from "../../management/routes/setup.ts";
import {
  changeRole,
  createMember,
  listMembers,
  removeMember,
  resetLinkOf,
} from "../actions/members.ts";
import type { MemberContext } from "../context.ts";
import { memberExample, resetLinkExample } from "../examples.ts";
import { MemberUpdateSchema, NewMemberSchema } from "../schemas/member.ts";
import { memberShape, membersShape, newcomerShape, resetLinkShape } from "../schemas/shown.ts";

const people = { tag: "members" } as const;

/** The people of an account. */
export function accountMemberEndpoints(context: MemberContext) {
  return [
    endpoint({
      ...people,
      operationId: "listAccountMembers",
      method: "GET",
      path: "/accounts/:account/members",
      access: "account",
      role: "viewer",
      summary: "List the people of an account",
      description: "Oldest first.",
      success: {
        status: 200,
        description: "All of them.",
        schema: membersShape,
        example: [memberExample],
      },
      refusals: [],
      run: async ({ account }) => done(await listMembers(context, account.id)),
    }),
    endpoint({
      ...people,
      operationId: "createAccountMember",
      method: "POST",
      path: "/accounts/:account/members",
      access: "account",
      role: "owner",
      weighty: true,
      summary: "Add somebody to an account",
      description: "Answers with a link by which they choose their password: good for a day, once.",
      body: NewMemberSchema,
      success: {
        status: 201,
        description: "The member, and the link at the only time it is shown.",
        schema: newcomerShape,
        example: { member: memberExample, link: resetLinkExample },
      },
      refusals: ["member_exists", "invalid_value", "limit_reached"],
      run: async ({ body, account }) => {
        const created = await createMember(context, { ...body, accountId: account.id });
        return created.ok ? done(new Reply(created.value, { headers: secret })) : created;
      },
    }),
    endpoint({
      ...people,
      operationId: "updateAccountMember",
      method: "PATCH",
      path: "/accounts/:account/members/:member",
      access: "account",
      role: "owner",
      weighty: true,
      summary: "Change the role of somebody of an account",
      description: "At once in their sessions too, within a second in every process.",
      body: MemberUpdateSchema,
      success: {
        status: 200,
        description: "The member as they are now.",
        schema: memberShape,
        example: { ...memberExample, role: "owner" },
      },
      refusals: ["not_found"],
      run: ({ params: { member }, account, body: { role } }) =>
        changeRole(context, member, { accountId: account.id, role }),
    }),
    endpoint({
      ...people,
      operationId: "createAccountMemberResetLink",
      method: "POST",
      path: "/accounts/:account/members/:member/reset-link",
      access: "account",
      role: "owner",
      weighty: true,
      summary: "Make a link to the new password of somebody of an account",
      description:
        "Good for a day, once; an earlier one is void. Nothing else changes until it is used.",
      success: {
        status: 201,
        description: "The link, at the only time it is shown.",
        schema: resetLinkShape,
        example: resetLinkExample,
      },
      refusals: ["not_found"],
      run: async ({ params: { member }, account }) => {
        const link = await resetLinkOf(context, member, account.id);
        return link.ok ? done(new Reply(link.value, { headers: secret })) : link;
      },
    }),
    endpoint({
      ...people,
      operationId: "removeAccountMember",
      method: "DELETE",
      path: "/accounts/:account/members/:member",
      access: "account",
      role: "owner",
      weighty: true,
      summary: "Remove somebody from an account",
      description: "Their sessions end within a second.",
      success: { status: 204, description: "They are gone." },
      refusals: ["not_found"],
      run: ({ params: { member }, account }) => removeMember(context, member, account.id),
    }),
  ];
}
