import { isoTime } from "../base/clock.ts";
import type { ManagementClient } from "./client.ts";
import { at, type Caller } from "./http-client-call.ts";

/** Accounts, their plans and what they used, over HTTP. */
export function accountsOver({
  ask,
  all,
}: Caller): Pick<ManagementClient, "accounts" | "plans" | "usage"> {
  return {
    accounts: {
      create: (body) => ask({ method: "POST", path: "/accounts", body }),
      byId: (account) => ask({ method: "GET", path: at`/accounts/${account}` }),
      list: () => all({ method: "GET", path: "/accounts", query: { limit: 1_000 } }),
      changePlan: ({ accountId, ...body }) =>
        ask({ method: "PATCH", path: at`/accounts/${accountId}`, body }),
      rename: ({ accountId, name }) =>
        ask({ method: "PATCH", path: at`/accounts/${accountId}`, body: { name } }),
      suspend: (account) => ask({ method: "POST", path: at`/accounts/${account}/suspend` }),
      resume: (account) => ask({ method: "POST", path: at`/accounts/${account}/resume` }),
      delete: (account) => ask({ method: "DELETE", path: at`/accounts/${account}` }),
    },
    plans: { list: () => all({ method: "GET", path: "/plans" }) },
    usage: {
      read: ({ accountId, keyId, from, to, ...query }) =>
        all({
          method: "GET",
          path: at`/accounts/${accountId}/usage`,
          query: { ...query, key: keyId, from: written(from), to: written(to) },
        }),
    },
  };
}

function written(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : isoTime(instant);
}
