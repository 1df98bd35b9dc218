import { base64url, equalTexts, utf8, type Digest } from "../base/digest.ts";
import type { Eventual } from "../base/eventual.ts";
import { switchedKinds, switchedSignedIn, type SwitchedMail } from "./model/mail-switches.ts";

/** What a link in a mail turns off: mails of one kind to one member. */
export interface LinkedMails {
  readonly memberId: string;
  readonly kind: SwitchedMail;
}

/**
 * Makes and reads the tokens of links that turn mails off without a sign-in. A token names its member and kind and is signed,
 * so nothing is stored. It never expires: a mail may be read years later. It allows nothing else.
 */
export interface MailLinks {
  /** Returns undefined for kinds that only a signed-in member turns off. */
  token(mails: LinkedMails): Promise<string | undefined>;
  /** Returns what a token turns off; undefined if this service did not make it. */
  read(token: string): Promise<LinkedMails | undefined>;
}

const MEMBER = "mem_";
const MARK_BYTES = 16;
const TOKEN = /^([0-9A-Za-z]{1,32})-([a-z_]{1,32})-([\w-]{22})$/;

/** Creates the links over a key. */
export function createMailLinks({
  key,
  digest,
}: {
  readonly key: () => Eventual<Uint8Array>;
  readonly digest: Digest;
}): MailLinks {
  const markOf = async (id: string, kind: string): Promise<string> => {
    const mark = await digest.hmac(await key(), utf8(JSON.stringify([id, kind])));
    return base64url(mark.subarray(0, MARK_BYTES));
  };
  return {
    token: async ({ memberId, kind }) => {
      if (switchedSignedIn.has(kind)) return undefined;
      const id = memberId.slice(MEMBER.length);
      return `${id}-${kind}-${await markOf(id, kind)}`;
    },
    read: async (token) => {
      const [, id, name, mark] = TOKEN.exec(token) ?? [];
      const kind = switchedKinds.find((one) => one === name);
      if (id === undefined || kind === undefined || mark === undefined) return undefined;
      if (!equalTexts(await markOf(id, kind), mark)) return undefined;
      return { memberId: MEMBER + id, kind };
    },
  };
}
