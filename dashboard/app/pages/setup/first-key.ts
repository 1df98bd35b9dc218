import { DAY_MS } from "../../../../lib/base/clock.ts";
import { at, send, type Problem, type Result } from "../../api.ts";
import { askedAddresses } from "../../state/api-addresses.ts";
import type { Purpose } from "./make-shelter.ts";

export interface FirstKey {
  /** The whole bearer token. A secret. */
  readonly key: string;
  /** Works as it is, in a terminal. */
  readonly line: string;
}

/** Makes a staging key of a day, and the first thing to do with it. */
export async function firstKey(
  { accountId, purpose }: { readonly accountId: string; readonly purpose: Purpose },
  name: string,
): Promise<Result<FirstKey, Problem>> {
  const made = await send<{ readonly key: string }>("POST", at`/accounts/${accountId}/keys`, {
    name,
    environment: "staging",
    expiresInMs: DAY_MS,
  });
  if (!made.ok) return made;
  const { key } = made.value;
  const { staging } = await askedAddresses();
  return { ok: true, value: { key, line: lineFor(purpose, key, staging) } };
}

function lineFor(purpose: Purpose, key: string, staging: string): string {
  const bearer = `-H 'Authorization: Bearer ${key}'`;
  if (purpose === "sample") return `curl ${bearer} '${staging}/pets?limit=3'`;
  const rex = `-H 'Content-Type: application/json' -d '{"name":"Rex","categoryId":1}'`;
  return `curl ${bearer} ${rex} ${staging}/pets`;
}
