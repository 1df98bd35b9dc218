import type { IssuedKey, KeyView } from "../actions/local-client.ts";
import type { Problem } from "../base/problem.ts";
import { done, type Result } from "../base/result.ts";
import type { IssuedToken, ManagementClient, TokenView } from "./client.ts";
import { at, type Asked, type Caller } from "./http-client-call.ts";

/** API keys over HTTP. Who names a key by its id alone has its account looked up first. */
export function keysOver({ ask, all }: Caller): ManagementClient["keys"] {
  const ofKey = async <Value>(
    keyId: string,
    asked: (path: string) => Asked,
  ): Promise<Result<Value, Problem>> => {
    const key = await ask<KeyView>({ method: "GET", path: at`/keys/${keyId}` });
    if (!key.ok) return key;
    return ask(asked(at`/accounts/${key.value.accountId}/keys/${keyId}`));
  };
  return {
    create: async ({ accountId, ...body }) =>
      issuedKey(await ask({ method: "POST", path: at`/accounts/${accountId}/keys`, body })),
    list: (account) => all({ method: "GET", path: at`/accounts/${account}/keys` }),
    rotate: async ({ keyId, ...body }) =>
      issuedKey(await ofKey(keyId, (path) => ({ method: "POST", path: `${path}/rotate`, body }))),
    revoke: (keyId) => ofKey(keyId, (path) => ({ method: "DELETE", path })),
    unban: (keyId) => ofKey(keyId, (path) => ({ method: "POST", path: `${path}/unban` })),
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
