import type { IssuedKey, KeyView } from "../accounts/keys.ts";
import type { Problem } from "../base/problem.ts";
import { done, type Result } from "../base/result.ts";
import type { IssuedToken, TokenView } from "../accounts/token-store.ts";
import type { ManagementClient } from "./client.ts";
import type { ManagementOperations } from "./endpoints.ts";
import { at, type Caller, type OperationsClient } from "./http-client-call.ts";

/** API keys over HTTP. A key that is named by its id alone has its account looked up first. */
export function keysOver({
  call,
  all,
}: OperationsClient<ManagementOperations>): ManagementClient["keys"] {
  const pathOf = async (
    key: string,
  ): Promise<Result<{ readonly account: string; readonly key: string }, Problem>> => {
    const found = await call("GET /keys/:key", { key });
    return found.ok ? done({ account: found.value.accountId, key }) : found;
  };
  return {
    create: async ({ accountId: account, ...body }) =>
      issuedKey(await call("POST /accounts/:account/keys", { account, body })),
    list: (account) => all("GET /accounts/:account/keys", { account }),
    rotate: async ({ keyId, ...body }) => {
      const path = await pathOf(keyId);
      if (!path.ok) return path;
      return issuedKey(
        await call("POST /accounts/:account/keys/:key/rotate", { ...path.value, body }),
      );
    },
    revoke: async (keyId) => {
      const path = await pathOf(keyId);
      return path.ok ? call("DELETE /accounts/:account/keys/:key", path.value) : path;
    },
    unban: async (keyId) => {
      const path = await pathOf(keyId);
      return path.ok ? call("POST /accounts/:account/keys/:key/unban", path.value) : path;
    },
  };
}

/** Management tokens, and the link to the first of them, over HTTP. */
export function tokensOver({ ask, all }: Caller): Pick<ManagementClient, "tokens" | "setup"> {
  const tokens = (accountId: string | undefined): string =>
    accountId === undefined ? "/tokens" : at`/accounts/${accountId}/tokens`;
  return {
    tokens: {
      create: async ({ accountId, ...body }) =>
        issuedToken(await ask({ method: "POST", path: tokens(accountId), body })),
      list: (accountId) => all({ method: "GET", path: tokens(accountId) }),
      revoke: (tokenId, accountId) =>
        ask({ method: "DELETE", path: tokens(accountId) + at`/${tokenId}` }),
    },
    setup: {
      link: () => ask({ method: "POST", path: "/setup-links" }),
      claim: async (token, name) =>
        issuedToken(await ask({ method: "POST", path: "/setup", body: { token, name } })),
    },
  };
}

function issuedKey(
  answer: Result<KeyView & { readonly key: string }, Problem>,
): Result<IssuedKey, Problem> {
  if (!answer.ok) return answer;
  const { key, ...view } = answer.value;
  return done({ view, token: key });
}

function issuedToken(
  answer: Result<TokenView & { readonly token: string }, Problem>,
): Result<IssuedToken, Problem> {
  if (!answer.ok) return answer;
  const { token, ...view } = answer.value;
  return done({ view, token });
}
