import {
  createCredentialRing,
  parserOf,
  type CredentialRing,
  type Hashing,
} from "../accounts/credential-ring.ts";
import { andThen, type Eventual } from "../base/eventual.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import type { Principal } from "../accounts/principal.ts";
import type { Sessions } from "../management/sessions.ts";
import type { Store } from "../storage/store.ts";
import { sentSessions } from "./cookie.ts";
import type { MemberStore } from "./member-store.ts";
import { type Member, isAlive, SESSION_KIND, type Session } from "./model/member.ts";

/** Identifies members by their session cookies. */
export interface SessionRing
  extends CredentialRing<OpenSession>, Omit<Sessions, "isPresent" | "nameOf"> {}

interface OpenSession {
  readonly session: Session;
  readonly member: Member;
  /** Later than `session.lastSeenAt` if this process saw the session after reading it. */
  seenAt: number;
}

export function createSessionRing({
  store,
  memberStore,
  digest,
  pepper,
}: Hashing & {
  readonly store: Pick<Store, "accounts">;
  readonly memberStore: MemberStore;
}): SessionRing {
  const ring: CredentialRing<OpenSession> = createCredentialRing<Session, OpenSession>({
    digest,
    pepper,
    invalid: invalidSession,
    parse: parserOf(SESSION_KIND, invalidSession),
    read: (id) => memberStore.session(id),
    admit: async (session, now) => {
      const seenAt = Math.max(session.lastSeenAt, ring.lastUse(session.id) ?? 0);
      if (!isAlive({ ...session, lastSeenAt: seenAt }, now)) return refused(invalidSession);
      const member = await memberStore.byId(session.memberId);
      if (member === undefined) return refused(invalidSession);
      const { accountId } = member;
      if (accountId !== undefined && (await store.accounts.byId(accountId)) === undefined) {
        return refused(invalidSession);
      }
      return done({ session, member, seenAt });
    },
    // A session that was idle in this process may have been used in another, so it is read again.
    isCurrent: ({ session, seenAt }, now) => isAlive({ ...session, lastSeenAt: seenAt }, now),
    subjects: { member: ({ member }) => member.id, account: ({ member }) => member.accountId },
  });
  /** Finds the session of the first value that has one. */
  const anyOf = (
    [token, ...others]: readonly string[],
    now: number,
  ): Eventual<Result<OpenSession, Problem>> => {
    if (token === undefined) return refused(invalidSession);
    return andThen(ring.find(token, now), (found) =>
      found.ok || others.length === 0 ? found : anyOf(others, now),
    );
  };
  return {
    ...ring,
    carries: (cookies) => sentSessions(cookies).length > 0,
    identify: (cookies, now, sentBy = "person") => {
      return andThen(anyOf(sentSessions(cookies), now), (found) => {
        if (!found.ok) return found;
        const { session, member } = found.value;
        if (sentBy === "person") {
          found.value.seenAt = now;
          ring.use(session.id, now);
        }
        return done(principalOf(member, session));
      });
    },
  };
}

/** Returns the name of a member, or else the email address. */
export function shownName({ name, email }: Pick<Member, "name" | "email">): string {
  return name === "" ? email : name;
}

/** Returns the principal of a member's session. */
export function principalOf(
  { id, email, name, role, accountId, language }: Member,
  session: Pick<Session, "id">,
): Principal {
  return {
    role,
    accountId,
    name: shownName({ name, email }),
    counter: `session ${session.id}`,
    member: {
      id,
      email,
      name,
      ...(language === undefined ? {} : { language }),
      sessionId: session.id,
    },
  };
}

const invalidSession: Problem = problem(
  "invalid_session",
  "The session has ended or is unknown. Sign in again.",
);
