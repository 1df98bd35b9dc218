import { done } from "../../lib/base/result.ts";
import type { Mail, NewMail } from "../../lib/mail/mail.ts";
import { createMembers, type Members } from "../../lib/members/create-members.ts";
import type { LeakedPasswords, Passwords } from "../../lib/members/passwords.ts";
import type { MemberStore } from "../../lib/members/member-store.ts";
import type { PasskeyJson, PasskeyProof, Passkeys } from "../../lib/members/passkeys.ts";
import { sqlMemberStore } from "../../lib/members/storage/sql-member-store.ts";
import type { Store } from "../../lib/storage/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import type { ManualClock } from "../../testing/clock.ts";

/** Fast hashing that counts its calls. */
export interface CountedPasswords extends Passwords {
  /** The hashes compared so far; undefined where there was none. */
  readonly verified: readonly (string | undefined)[];
}

export function countedPasswords(): CountedPasswords {
  const verified: (string | undefined)[] = [];
  let made = 0;
  return {
    verified,
    hash: async (password) => `hash ${made++} of ${password}`,
    verify: async (hash, password) => {
      verified.push(hash);
      return hash?.replace(/^hash \d+ of /, "") === password;
    },
  };
}

/** Passkeys whose proof is a plain object, `{ id, challenge, counter }`. Without `id` it is invalid. */
export const saidPasskeys: Passkeys = {
  creationOptions: async ({ party, challenge }) => options(party.id, challenge),
  requestOptions: async ({ party, challenge }) => options(party.id, challenge),
  created: async (proof) => {
    const said = await saidIn(proof);
    if (said === undefined) return undefined;
    return { credentialId: said.id, publicKey: "key", counter: said.counter, transports: ["usb"] };
  },
  used: async (proof, { counter }) => {
    const said = await saidIn(proof);
    return said !== undefined && said.counter > counter ? { counter: said.counter } : undefined;
  },
};

function options(rpId: string, challenge: Uint8Array): PasskeyJson {
  return { rpId, challenge: Buffer.from(challenge).toString("base64url") };
}

async function saidIn({
  response: { id, challenge, counter },
  expects,
}: PasskeyProof): Promise<{ readonly id: string; readonly counter: number } | undefined> {
  if (typeof id !== "string" || typeof challenge !== "string") return undefined;
  if (!(await expects(challenge))) return undefined;
  return { id, counter: typeof counter === "number" ? counter : 0 };
}

/** Mail that queues everything, and remembers it. */
export function takenMail(): { readonly mail: Mail; readonly queued: NewMail[] } {
  const queued: NewMail[] = [];
  const enqueue = async (mail: NewMail) => {
    queued.push(mail);
    return done(undefined);
  };
  return { mail: { enabled: true, enqueue }, queued };
}

/** Opens members over an office's database. */
export async function openMembers({
  sql,
  store,
  clock,
  passwords = countedPasswords(),
  passkeys = saidPasskeys,
  mail = takenMail().mail,
  ...more
}: {
  readonly sql: Sql;
  readonly store: Store;
  readonly clock: ManualClock;
  readonly encryptionKey: Uint8Array;
  readonly passwords?: Passwords;
  readonly passkeys?: Passkeys;
  readonly leaked?: LeakedPasswords;
  readonly mail?: Mail | undefined;
  readonly memberStore?: (memberStore: MemberStore) => MemberStore;
}): Promise<{ readonly members: Members; readonly memberStore: MemberStore }> {
  const { memberStore: wrapped = (same) => same, encryptionKey, leaked } = more;
  const memberStore = wrapped(await sqlMemberStore({ sql, clock }));
  const members = createMembers({
    store,
    memberStore,
    passwords,
    passkeys,
    mail,
    resetAddress: "https://petstore.test/reset",
    encryptionKey,
    clock,
    ...(leaked === undefined ? {} : { leaked }),
  });
  return { members, memberStore };
}
