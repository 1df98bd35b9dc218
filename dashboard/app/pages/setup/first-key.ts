import { DAY_MS } from "../../../../lib/base/clock.ts";
import { API, at, send, type Problem, type Result } from "../../api.ts";
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
  return { ok: true, value: { key, line: lineFor(purpose, key, await stagingAddress()) } };
}

function lineFor(purpose: Purpose, key: string, staging: string): string {
  const bearer = `-H 'Authorization: Bearer ${key}'`;
  if (purpose === "sample") return `curl ${bearer} '${staging}/pets?limit=3'`;
  const rex = `-H 'Content-Type: application/json' -d '{"name":"Rex","categoryId":1}'`;
  return `curl ${bearer} ${rex} ${staging}/pets`;
}

interface Description {
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
}

/** Where programs reach Staging, as the description of the API tells it. */
async function stagingAddress(): Promise<string> {
  const response = await fetch(new URL("/v1/openapi.json", API));
  // It is made of the very table that serves it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { servers } = (await response.json()) as Description;
  const staging = servers.find(({ description }) => description === "Staging");
  return staging?.url ?? new URL("/v1", API).href;
}
