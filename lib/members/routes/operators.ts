import { done } from "../../base/result.ts";
import { endpoint, Reply } from "../../management/endpoint.ts";
import { memberParameter } from "../../http/parameters.ts";
import { secret } from "../../management/routes/setup.ts";
import {
  createMember,
  findMember,
  listMembers,
  removeMember,
  resetLinkOf,
} from "../actions/members.ts";
import type { MemberContext } from "../context.ts";
import { operatorExample, resetLinkExample } from "../examples.ts";
import { EmailSchema, NewOperatorSchema } from "../schemas/member.ts";
import { membersShape, newcomerShape, resetLinkShape } from "../schemas/shown.ts";

const byEmail = memberParameter(EmailSchema, {
  description: "The member with that e-mail address, of any account.",
  rule: "must be an e-mail address",
});

const operators = { tag: "members" } as const;

/** The people who run the installation. */
export function operatorEndpoints(context: MemberContext) {
  return [
    endpoint({
      ...operators,
      operationId: "listMembers",
      method: "GET",
      path: "/members",
      access: "platform",
      role: "operator",
      query: { email: byEmail },
      summary: "List the operators",
      description: "Oldest first; with `email` whoever has that address, of whatever account.",
      success: {
        status: 200,
        description: "All of them.",
        schema: membersShape,
        example: [operatorExample],
      },
      refusals: [],
      run: async ({ query }) => {
        const email = query.email;
        const value = await (email === undefined
          ? listMembers(context, undefined)
          : findMember(context, email));
        return done(value);
      },
    }),
    endpoint({
      ...operators,
      operationId: "createMember",
      method: "POST",
      path: "/members",
      access: "platform",
      role: "operator",
      weighty: true,
      summary: "Add an operator",
      description: "Answers with a link by which they choose their password: good for a day, once.",
      body: NewOperatorSchema,
      success: {
        status: 201,
        description: "The operator, and the link at the only time it is shown.",
        schema: newcomerShape,
        example: { member: { ...operatorExample, status: "pending" }, link: resetLinkExample },
      },
      refusals: ["member_exists", "invalid_value", "limit_reached"],
      run: async ({ body }) => {
        const created = await createMember(context, { ...body, role: "operator" });
        return created.ok ? done(new Reply(created.value, { headers: secret })) : created;
      },
    }),
    endpoint({
      ...operators,
      operationId: "createMemberResetLink",
      method: "POST",
      path: "/members/:member/reset-link",
      access: "platform",
      role: "operator",
      weighty: true,
      summary: "Make a link to an operator's new password",
      description:
        "Good for a day, once; an earlier one is void. Nothing else changes until it is used.",
      success: {
        status: 201,
        description: "The link, at the only time it is shown.",
        schema: resetLinkShape,
        example: resetLinkExample,
      },
      refusals: ["not_found"],
      run: async ({ params: { member } }) => {
        const link = await resetLinkOf(context, member, undefined);
        return link.ok ? done(new Reply(link.value, { headers: secret })) : link;
      },
    }),
    endpoint({
      ...operators,
      operationId: "removeMember",
      method: "DELETE",
      path: "/members/:member",
      access: "platform",
      role: "operator",
      weighty: true,
      summary: "Remove an operator",
      description: "Their sessions end within a second. The last one who can sign in stays.",
      success: { status: 204, description: "They are gone." },
      refusals: ["not_found", "last_operator"],
      run: ({ params: { member } }) => removeMember(context, member, undefined),
    }),
  ];
}
