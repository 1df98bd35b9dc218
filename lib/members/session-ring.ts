import { hashSecret } from "../actions/keys.ts";
import { beliefs } from "../base/beliefs.ts";
import { equalBytes, utf8, type Digest } from "../base/digest.ts";
import type { Eventual } from "../base/eventual.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import type { Principal } from "../management/model/principal.ts";
import type { Sessions } from "../management/sessions.ts";
import { parseCredential } from "../model/credential.ts";
import type { Store } from "../storage/store.ts";
import { sentCookie } from "./cookie.ts";
import type { MemberStore, SessionUse } from "./member-store.ts";
import type { Member } from "./model/member.ts";
import { isAlive, SESSION_KIND, type Session } from "./model/session.ts";

/** Finds out who signed in, and remembers it. */
export interface SessionRing extends Omit<Sessions, "isPresent"> {
  /** Drops what is remembered of a member's sessions, or of all people of an account. */
  forget(topic: "account" | "member", subject: string): void;
  forgetAll(): void;
  /** All that was remembered before `at` is known to be still true then. */
  confirm(at: number): void;
  /** Sessions seen since this was last asked, with the instant they were last. */
  drainUsed(): readonly SessionUse[];
}

/** A session whose secret was found right, and whose it is. */
interface Known {
  readonly session: Session;
  readonly member: Member;
  /** Later than the session's own when it was seen here since it was read. */
  seenAt: number;
}

type Asker = NonNullable<Parameters<Sessions["identify"]>[2]>;

const MAX_REMEMBERED = 10_000;

export function createSessionRing({
  store,
  memberStore,
  digest,
  pepper,
}: {
  readonly store: Pick<Store, "accounts">;
  readonly memberStore: MemberStore;
  readonly digest: Digest;
  readonly pepper: () => Eventual<Uint8Array>;
}): SessionRing {
  // By the whole token: a hit means that checksum and secret were found right before.
  const known = beliefs<Known>(MAX_REMEMBERED);
  const used = new Map<string, number>();

  const see = (found: Known, now: number, asker: Asker): Result<Principal, Problem> => {
    const { session, member } = found;
    if (asker === "person") {
      found.seenAt = now;
      used.set(session.id, now);
    }
    return done(principalOf(member, session));
  };

  const load = async (
    token: string,
    now: number,
    asker: Asker,
  ): Promise<Result<Principal, Problem>> => {
    const sent = parseCredential(token);
    if (sent?.kind !== SESSION_KIND) return refused(invalidSession);
    const mark = known.mark();
    const session = await memberStore.session(sent.id);
    const hash = await hashSecret(digest, await pepper(), sent.secret);
    // An unknown id takes as long as a wrong secret.
    const right = equalBytes(utf8(hash), utf8(session?.hash ?? "0".repeat(64)));
    if (session === undefined || !right) return refused(invalidSession);
    const seenAt = Math.max(session.lastSeenAt, used.get(session.id) ?? 0);
    if (!isAlive({ ...session, lastSeenAt: seenAt }, now)) return refused(invalidSession);
    const member = await memberStore.byId(session.memberId);
    if (member === undefined) return refused(invalidSession);
    const { accountId } = member;
    if (accountId !== undefined && (await store.accounts.byId(accountId)) === undefined) {
      return refused(invalidSession);
    }
    const found = { session, member, seenAt };
    known.set(token, found, now, mark);
    return see(found, now, asker);
  };

  return {
    carries: (cookies) => sentCookie(cookies).kind !== "none",
    identify: (cookies, now, asker = "person") => {
      const sent = sentCookie(cookies);
      if (sent.kind !== "token") return refused(invalidSession);
      const found = known.get(sent.token, now);
      // One that lay unused here may have been used elsewhere: the store knows.
      const alive =
        found !== undefined && isAlive({ ...found.session, lastSeenAt: found.seenAt }, now);
      return alive ? see(found, now, asker) : load(sent.token, now, asker);
    },
    forget: (topic, subject) => {
      known.forget(({ member }) => (topic === "member" ? member.id : member.accountId) === subject);
    },
    forgetAll: () => {
      known.forgetAll();
    },
    confirm: (at) => {
      known.confirm(at);
    },
    drainUsed: () => {
      const uses = Array.from(used, ([sessionId, at]) => ({ sessionId, at }));
      used.clear();
      return uses;
    },
  };
}

/** Whom the session of a member speaks for. */
export function principalOf(
  { id, email, name, role, accountId }: Member,
  session: Pick<Session, "id">,
): Principal {
  return {
    role,
    accountId,
    name: name === "" ? email : name,
    counter: `session ${session.id}`,
    member: { id, email, name, sessionId: session.id },
  };
}

const invalidSession: Problem = problem(
  "invalid_session",
  "The session is over, or not known here. Sign in again.",
);
