import type { Petstore } from "../../lib/index.ts";
import type { Scope } from "../../lib/model/scope.ts";
import { must } from "./outcome.ts";

/** Limits that no test reaches. */
export const UNLIMITED = { perMinute: 100_000_000, perDay: 1_000_000_000 };

/** Creates an account with these limits. Returns a key of it, by default with all scopes. */
export async function unlimitedKey(
  { client }: Pick<Petstore, "client">,
  scopes?: readonly Scope[],
): Promise<string> {
  const account = { name: "One", plan: "enterprise", limits: UNLIMITED } as const;
  const { id: accountId } = must(await client.accounts.create(account));
  return must(await client.keys.create({ accountId, name: "key", ...(scopes && { scopes }) }))
    .token;
}
