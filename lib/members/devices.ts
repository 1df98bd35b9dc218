import { base64url, equalTexts, utf8, type Digest } from "../base/digest.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Random } from "../base/id.ts";
import { sentDevices, setDevice } from "./cookie.ts";

/** What a browser's cookie says about a member. */
export interface Device {
  /** The browser has signed in as the member before. */
  readonly known: boolean;
  /** The `Set-Cookie` header with which the browser is known from now on; undefined if it already is. */
  readonly cookie: string | undefined;
}

/**
 * Recognizes browsers in which a member has signed in before. The browser has a cookie with a mark for each of its last
 * members: a random text and a keyed hash. Nothing is stored here, and nothing else about the browser is looked at.
 */
export interface Devices {
  look(cookies: string | null, memberId: string): Promise<Device>;
}

/** How many members of one browser are remembered. */
const MOST_MEMBERS = 8;
const RANDOM_BYTES = 9;
const MAC_BYTES = 15;
/** Of each in base64url, which needs no padding. */
const RANDOM_LENGTH = 12;
const MARK = /^[\w-]{32}$/;

/** Creates the recognition over a key. */
export function createDevices({
  key,
  digest,
  random,
}: {
  readonly key: () => Eventual<Uint8Array>;
  readonly digest: Digest;
  readonly random: Random;
}): Devices {
  const markOf = async (nonce: string, memberId: string): Promise<string> => {
    const mac = await digest.hmac(await key(), utf8(`${nonce} ${memberId}`));
    return nonce + base64url(mac.subarray(0, MAC_BYTES));
  };
  return {
    look: async (cookies, memberId) => {
      const marks = sentDevices(cookies)
        .flatMap((value) => value.split(".", MOST_MEMBERS))
        .filter((mark) => MARK.test(mark))
        .slice(0, MOST_MEMBERS);
      for (const mark of marks) {
        const right = await markOf(mark.slice(0, RANDOM_LENGTH), memberId);
        if (equalTexts(right, mark)) return { known: true, cookie: undefined };
      }
      const fresh = await markOf(base64url(random(new Uint8Array(RANDOM_BYTES))), memberId);
      const kept = marks.slice(0, MOST_MEMBERS - 1);
      return { known: false, cookie: setDevice([fresh, ...kept].join(".")) };
    },
  };
}
