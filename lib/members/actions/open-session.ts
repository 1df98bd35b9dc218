import { hashSecret } from "../../base/digest.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { Visitor } from "../../management/endpoint.ts";
import type { Principal } from "../../management/model/principal.ts";
import { createCredential } from "../../model/credential.ts";
import type { MemberContext } from "../context.ts";
import type { MemberChange, MemberRefusal } from "../member-store.ts";
import type { Member } from "../model/member.ts";
import { MAX_SESSIONS, SESSION_KIND, SESSION_MS } from "../model/session.ts";
import { principalOf } from "../session-ring.ts";

/** Where a session is made. */
export interface Browser {
  readonly visitor: Visitor;
  /** Of the request, as it came. */
  readonly userAgent: string | null;
}

/** Somebody who is signed in from now on. The token is never to be had again. */
export interface SignedIn {
  readonly principal: Principal;
  /** For the cookie. A secret. */
  readonly token: string;
}

const MAX_ADDRESS = 100;
const MAX_USER_AGENT = 400;

/**
 * Opens a session of a member after `before`, in one commit. It always has a token of its own: what the browser sent
 * before it signed in is never taken over.
 */
export async function openSession(
  { memberStore, random, digest, pepper, clock, forget }: MemberContext,
  { member, browser, before = [], password }: NewSession,
): Promise<Result<SignedIn, MemberRefusal>> {
  const { id, secret, token } = createCredential(random, SESSION_KIND);
  const now = clock.now();
  const session = {
    id,
    memberId: member.id,
    hash: await hashSecret(digest, await pepper(), secret),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + SESSION_MS,
    address: (browser.visitor.address() ?? "").slice(0, MAX_ADDRESS),
    userAgent: (browser.userAgent ?? "").slice(0, MAX_USER_AGENT).toWellFormed(),
  };
  const committed = await memberStore.commit([
    ...before,
    {
      kind: "session.create",
      session,
      max: MAX_SESSIONS,
      ...(password === undefined ? {} : { password }),
    },
  ]);
  if (!committed.ok) return refused(committed.failure);
  forget(member.id);
  return done({ principal: principalOf(member, session), token });
}

interface NewSession {
  readonly member: Member;
  readonly browser: Browser;
  readonly before?: readonly MemberChange[];
  /** The hash that was found right: the member must still have it. */
  readonly password?: string;
}
