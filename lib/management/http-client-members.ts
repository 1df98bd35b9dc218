import { done } from "../base/result.ts";
import type { ManagementClient } from "./client.ts";
import { at, type Caller } from "./http-client-call.ts";
import type { MemberView } from "./member-view.ts";

/** The people who can sign in, over HTTP. */
export function membersOver({ ask, all }: Caller): Pick<ManagementClient, "members"> {
  return {
    members: {
      list: (accountId) => all({ method: "GET", path: pathOf(accountId) }),
      find: async (email) => {
        const found = await all<MemberView>({ method: "GET", path: "/members", query: { email } });
        return found.ok ? done(found.value[0]) : found;
      },
      create: ({ email, name, in: of }) =>
        ask({ method: "POST", path: pathOf(of?.accountId), body: { email, name, role: of?.role } }),
      resetLink: (memberId, accountId) =>
        ask({ method: "POST", path: pathOf(accountId) + at`/${memberId}/reset-link` }),
      remove: (memberId, accountId) =>
        ask({ method: "DELETE", path: pathOf(accountId) + at`/${memberId}` }),
    },
  };
}

function pathOf(accountId: string | undefined): string {
  return accountId === undefined ? "/members" : at`/accounts/${accountId}/members`;
}
