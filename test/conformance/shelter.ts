import type { Result } from "../../lib/base/result.ts";
import { scopes as allScopes } from "../../lib/model/scope.ts";
import type { LocalClient } from "../../lib/local-client.ts";
import type { Api } from "../helpers/api.ts";
import type { Env, Holder, KeyOptions } from "./case.ts";

/** Creates accounts and keys, in process or through the management API. */
export interface Operator {
  readonly accounts: Pick<LocalClient["accounts"], "create" | "changePlan" | "suspend" | "resume">;
  readonly keys: Pick<LocalClient["keys"], "create" | "rotate" | "revoke" | "unban">;
}

/** Creates accounts with the given client; their keys use the two clients without a key. */
export function sheltering(
  operator: () => Operator,
  { production, staging }: { readonly production: Api; readonly staging: Api },
): Env["account"] {
  const holder = (id: string, token: string, inProduction = true): Holder => ({
    id,
    token,
    api: (inProduction ? production : staging).as(token),
  });
  const keyOf = async (
    accountId: string,
    { environment = "production", ...options }: KeyOptions = {},
  ): Promise<Holder> => {
    const issued = must(await operator().keys.create({ accountId, environment, ...options }));
    return holder(issued.view.id, issued.token, environment === "production");
  };

  return async ({ plan, limits, scopes = allScopes } = {}) => {
    const roomy = plan === undefined ? { perMinute: 100_000, perDay: 1_000_000 } : undefined;
    const agreed = limits ?? roomy;
    const { id: accountId } = must(
      await operator().accounts.create({
        name: "A shelter",
        plan: plan ?? "enterprise",
        ...(agreed === undefined ? {} : { limits: agreed }),
      }),
    );
    return {
      ...(await keyOf(accountId, { scopes })),
      accountId,
      key: (options) => keyOf(accountId, options),
      changePlan: async (next, numbers) => {
        const more = numbers === undefined ? {} : { limits: numbers };
        must(await operator().accounts.changePlan({ accountId, plan: next, ...more }));
      },
      suspend: async () => void must(await operator().accounts.suspend(accountId)),
      resume: async () => void must(await operator().accounts.resume(accountId)),
      revoke: async (keyId) => void must(await operator().keys.revoke(keyId)),
      rotate: async (keyId) => {
        const issued = must(await operator().keys.rotate({ keyId }));
        return holder(issued.view.id, issued.token);
      },
      unban: async (keyId) => void must(await operator().keys.unban(keyId)),
    };
  };
}

/** Returns the result of an action; fails if it was refused. */
export function must<Value>(result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.failure)}`);
  return result.value;
}
