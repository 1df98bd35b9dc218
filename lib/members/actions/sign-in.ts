import { hashSecret } from "../../base/digest.ts";
import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { Visitor } from "../../management/endpoint.ts";
import type { Principal } from "../../accounts/principal.ts";
import { createCredential } from "../../model/new-credential.ts";
import { clientBlock } from "../../model/client-address.ts";
import type { MemberContext } from "../context.ts";
import type { MemberChange, MemberRefusal, SignInMethod } from "../member-store.ts";
import { faultOfEmail, normalEmail } from "../../model/email.ts";
import { MAX_SESSIONS, SESSION_KIND, SESSION_MS, type Member } from "../model/member.ts";
import type { PasskeyJson } from "../passkeys.ts";
import { invalidCredentials, invalidPasskey } from "../refusals.ts";
import { principalOf } from "../session-ring.ts";
import { passkeysAt, provenPasskey } from "./passkeys.ts";

/** The browser for which a session is opened. */
export interface Browser {
  readonly visitor: Visitor;
  /** The `User-Agent` header. */
  readonly userAgent: string | null;
  /** The `Cookie` header. */
  readonly cookies: string | null;
}

/** A new session. Its token cannot be read again later. */
export interface SignedIn {
  readonly principal: Principal;
  /** The cookie's value. A secret. */
  readonly token: string;
  /** The `Set-Cookie` header by which the browser is recognized later; undefined if it has one. */
  readonly device: string | undefined;
}

const MAX_ADDRESS = 100;
const MAX_USER_AGENT = 400;

/**
 * Opens a session for a member, in one commit with the changes `before`. The session always has a new token: nothing
 * that the browser sent before signing in is reused. A browser that the member has not signed in with before is reported
 * to them, but not their first one.
 */
export async function openSession(
  { commit, random, digest, pepper, clock, forget, devices }: MemberContext,
  {
    member,
    browser,
    before = [],
    password,
    method,
    signedIn = false,
  }: {
    readonly member: Member;
    readonly browser: Browser;
    readonly method: SignInMethod;
    readonly before?: readonly MemberChange[];
    /** The hash that was verified. If given, the member must still have it. */
    readonly password?: string;
    /** The browser has a session of the member already. */
    readonly signedIn?: boolean;
  },
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
  const device = await devices.look(browser.cookies, member.id);
  const committed = await commit([
    ...before,
    {
      kind: "session.create",
      session,
      max: MAX_SESSIONS,
      method,
      newDevice: !device.known && !signedIn && member.lastSeenAt !== undefined,
      ...(password === undefined ? {} : { password }),
    },
  ]);
  if (!committed.ok) return refused(committed.failure);
  forget(member.id);
  return done({ principal: principalOf(member, session), token, device: device.cookie });
}

/** Returns false if the member's account was deleted. */
export async function hasAccount(
  { store }: Pick<MemberContext, "store">,
  { accountId }: Pick<Member, "accountId">,
): Promise<boolean> {
  return accountId === undefined || (await store.accounts.byId(accountId)) !== undefined;
}

/**
 * Signs in with a password. Neither the response nor its timing reveals whether the email address is known. Refused
 * `invalid_credentials`, `rate_limited`, `unavailable`.
 */
export async function signIn(
  context: MemberContext,
  sent: { readonly email: string; readonly password: string },
  browser: Browser,
): Promise<Result<SignedIn, Problem>> {
  const { memberStore, attempts, passwords, recordRefusal } = context;
  const email = normalEmail(sent.email);
  const address = browser.visitor.address();
  const admitted = await attempts.admit(address);
  if (!admitted.ok) return admitted;
  const member = await memberStore.byEmail(email);
  const sessions = await memberStore.sessions(member?.id ?? "");
  const familiar = sessions.some(
    (session) => clientBlock(session.address) === clientBlock(address),
  );
  // All malformed addresses share one counter.
  const subject = faultOfEmail(email) === undefined ? email : "";
  const attempt = await attempts.begin({ subject, address, familiar });
  if (!attempt.ok) return attempt;

  const verified = await passwords.verify(member?.password, sent.password);
  if (!verified.ok) {
    await admitted.value.forgive();
    await attempt.value.forgive();
    return verified;
  }
  if (member?.password === undefined || !verified.value || !(await hasAccount(context, member))) {
    recordRefusal(member?.id);
    return refused(invalidCredentials);
  }
  const { password } = member;
  const opened = await openSession(context, { member, browser, password, method: "password" });
  // The password was changed or removed after it was verified.
  if (!opened.ok) return refused(invalidCredentials);
  // `admitted` is not forgiven: a program that signs in repeatedly costs as much as one that guesses.
  await attempt.value.forgive();
  return opened;
}

const PURPOSE = "sign in";

/** Returns the options with which a browser requests any member's passkey: the passkey identifies its member. */
export async function beginPasskeySignIn(
  context: MemberContext,
  origin: string,
): Promise<Result<PasskeyJson, Problem>> {
  const at = passkeysAt(context, origin);
  if (!at.ok) return at;
  const { passkeys, party } = at.value;
  const challenge = await context.challenges.make(PURPOSE);
  return done(await passkeys.requestOptions({ party, challenge }));
}

/** Signs in with a passkey's response. Spends the challenge in the same commit, so that a response works once. */
export async function signInWithPasskey(
  context: MemberContext,
  response: PasskeyJson,
  browser: Browser,
): Promise<Result<SignedIn, Problem>> {
  const { origin } = browser.visitor;
  const proven = await provenPasskey(context, { origin, purpose: PURPOSE, response });
  if (!proven.ok) return proven;
  const member = await context.memberStore.byId(proven.value.passkey.memberId);
  if (member === undefined || !(await hasAccount(context, member))) return refused(invalidPasskey);
  const before = proven.value.spending;
  const opened = await openSession(context, { member, browser, before, method: "passkey" });
  return opened.ok ? opened : refused(invalidPasskey);
}
