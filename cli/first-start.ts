import type { LocalClient } from "../lib/index.ts";
import { must } from "../settings/failure.ts";

const DAY_MS = 86_400_000;
const NAME = "My shelter";
const SLUG = "my-shelter";

/** What a person gets to begin with. */
export interface Welcome {
  readonly accountId: string;
  /** Of Staging, for 24 hours. A secret. */
  readonly token: string;
}

/** Makes a first account with a staging key, unless there is an account already. */
export async function welcome(client: LocalClient): Promise<Welcome | undefined> {
  if ((await client.accounts.list()).length > 0) return undefined;
  const account = must(await client.accounts.create({ name: NAME, plan: "free" }));
  const key = { environment: "staging", name: "First steps", expiresInMs: DAY_MS } as const;
  const issued = must(await client.keys.create({ accountId: account.id, ...key }));
  return { accountId: account.id, token: issued.token };
}

interface Guide {
  readonly program: string;
  /** Of Staging, `/v1` included. */
  readonly staging: string;
  /** Tells the address of a project by its slug. */
  readonly addressOf: (slug: string) => string;
  /** `--data-dir …`, if commands need it to find this installation; else empty. */
  readonly where: string;
}

/** Lines for a terminal, that work as they are. */
export function firstSteps(
  { accountId, token }: Welcome,
  { program, staging, where, addressOf }: Guide,
): string {
  const site = addressOf(SLUG);
  const bearer = `-H 'Authorization: Bearer ${token}'`;
  return `
  This is the first start: the account ${NAME} (${accountId}, plan Free) was made,
  with a key for Staging that works for 24 hours. Add an animal, and list it:

  curl ${bearer} -H 'Content-Type: application/json' -d '{"name":"Rex","categoryId":1}' ${staging}/pets
  curl ${bearer} ${staging}/pets

  A key for Production: ${program} keys create --account ${accountId}${where}

  A site for the animals of Production, at ${site}:

  ${program} projects create "${NAME}" --slug ${SLUG} --account ${accountId}${where}
  ${program} deploy --starter --project ${SLUG}${where}
`;
}

/** What to type for a link by which somebody can sign in. */
export function linkCommand({ program, where }: Pick<Guide, "program" | "where">): string {
  return `${program} setup-link${where}`;
}

/** What to type where nobody was there to be shown a key. */
export function firstCommands({
  program,
  where,
}: Pick<Guide, "program" | "where">): readonly [string, string] {
  return [
    `${program} accounts create "${NAME}"${where}`,
    `${program} keys create --account ACCOUNT --environment staging${where}`,
  ];
}
