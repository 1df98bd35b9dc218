import { DAY_MS, SECOND_MS } from "../../lib/base/clock.ts";
import { done, type Result } from "../../lib/base/result.ts";
import { createPrivateKeyPem } from "../acme/keys.ts";
import { remedyOf, type AuthorityProblem } from "../model/acme-problem.ts";
import type { AccountLock } from "../ports/account-lock.ts";
import type { CertificateAuthority } from "../ports/authority.ts";
import type { DomainChange, SuccessorAccount } from "../ports/domain-change.ts";
import {
  applicationFor,
  findOrCreate,
  identityOf,
  resolveKey,
  underLease,
  write,
  type AccountContext,
  type LeasedContext,
} from "./authority-account.ts";

/** The dependencies of replacing an account. */
export type ReplacementContext = AccountContext & { readonly lock: AccountLock };

/**
 * `switched`: the new account places all further orders. `pending`: CAA records do not allow it yet, or have done so for
 * less than their TTL; the present account stays in use. `none`: nothing is pending.
 */
export type ReplacementState = "switched" | "pending" | "none";

type Outcome = Promise<Result<ReplacementState, AuthorityProblem>>;

/**
 * Registers a new account with the CA and switches to it as soon as every authoritative name server of our names has
 * allowed it for the TTL of the CAA records: until then a CA may still see records that name only the present account.
 * Where records name no account, and if `force` is set, it switches at once. The new key is stored before the CA sees
 * it; a repeated call continues. Undefined: another process is changing the account.
 */
export function replaceAccount(
  context: ReplacementContext,
  authority: CertificateAuthority,
  { force = false, signal }: { readonly force?: boolean; readonly signal: AbortSignal },
): Promise<Result<ReplacementState, AuthorityProblem> | undefined> {
  return underLease(context, { authority, signal }, async (desk) => {
    const before = await desk.store.accounts.of(authority.id);
    const settled = await resolveKey(desk, authority);
    if (!settled.ok) return settled;
    const present = settled.value;
    if (present?.url === undefined) {
      const made = await findOrCreate(desk, authority);
      return made.ok ? done("switched") : made;
    }
    // An earlier version replaced the account, and the response was lost.
    if (present.url !== before?.url) return done("switched");
    const pending = await pendingFor(desk, authority, present.url);
    const successor = pending ?? (await announced(desk, authority, present.url));
    return proceed(desk, { lock: context.lock, authority, successor, force });
  });
}

/** Continues a pending replacement. Undefined: another process is changing the account. */
export async function continueReplacement(
  context: ReplacementContext,
  authority: CertificateAuthority,
  signal: AbortSignal,
): Promise<Result<ReplacementState, AuthorityProblem> | undefined> {
  if ((await context.store.accounts.successor(authority.id)) === undefined) return done("none");
  return underLease(context, { authority, signal }, async (desk) => {
    const settled = await resolveKey(desk, authority);
    if (!settled.ok) return settled;
    const successor = await pendingFor(desk, authority, settled.value?.url);
    if (successor === undefined) return done("none");
    return proceed(desk, { lock: context.lock, authority, successor, force: false });
  });
}

/** Cancels a pending replacement; its account stays unused at the CA. Undefined: another process is changing it. */
export function cancelReplacement(
  context: AccountContext,
  authority: CertificateAuthority,
  signal: AbortSignal,
): Promise<Result<ReplacementState, AuthorityProblem> | undefined> {
  return underLease(context, { authority, signal }, async (desk) => {
    await write(desk, { kind: "account.withdraw", authority: authority.id });
    return done("none");
  });
}

/** Returns the successor of the present account. One that was to replace another account is outdated and deleted. */
async function pendingFor(
  desk: LeasedContext,
  { id }: CertificateAuthority,
  presentUrl: string | undefined,
): Promise<SuccessorAccount | undefined> {
  const successor = await desk.store.accounts.successor(id);
  if (successor === undefined || successor.replaces === presentUrl) return successor;
  await write(desk, { kind: "account.withdraw", authority: id });
  return undefined;
}

/** Stores the key of a new account. */
async function announced(
  desk: LeasedContext,
  { id }: CertificateAuthority,
  replaces: string,
): Promise<SuccessorAccount> {
  const key = await createPrivateKeyPem();
  const sealedKey = desk.seal.close(key, identityOf(id));
  const successor = { authority: id, replaces, sealedKey, createdAt: desk.clock.now() };
  await write(desk, { kind: "account.announce", successor });
  return successor;
}

/** Registers the account if necessary, and switches to it if it may order. */
async function proceed(
  desk: LeasedContext,
  given: {
    readonly lock: AccountLock;
    readonly authority: CertificateAuthority;
    readonly successor: SuccessorAccount;
    readonly force: boolean;
  },
): Outcome {
  const { lock, authority, force } = given;
  const registered = await register(desk, authority, given.successor);
  if (!registered.ok) return registered;
  const { value: successor } = registered;
  const now = desk.clock.now();
  if (force) return switchTo(desk, successor);
  const permission = await lock.permits(authority.id, successor.url, desk.signal);
  switch (permission.kind) {
    case "unknown":
      // A name server that does not answer shows nothing new.
      return done("pending");
    case "forbidden":
      await keepSwitchAt(desk, successor, undefined);
      return done("pending");
    case "allowed": {
      const waitMs = permission.byName
        ? Math.min(permission.ttlSeconds * SECOND_MS, MAX_TTL_MS)
        : 0;
      // Never later than after a wait from now, whatever an earlier TTL or a wrong clock said.
      const switchAt = Math.min(successor.switchAt ?? Infinity, now + waitMs);
      if (switchAt <= now) return switchTo(desk, successor);
      await keepSwitchAt(desk, successor, switchAt);
      return done("pending");
    }
    default:
      return permission satisfies never;
  }
}

/** CAs may keep CAA records for their TTL, and longer ones than this are mistakes. */
const MAX_TTL_MS: number = DAY_MS;

type Registered = SuccessorAccount & { readonly url: string };

async function register(
  desk: LeasedContext,
  authority: CertificateAuthority,
  { url, ...successor }: SuccessorAccount,
): Promise<Result<Registered, AuthorityProblem>> {
  if (url !== undefined) return done({ ...successor, url });
  const { seal, signal } = desk;
  const key = seal.open(successor.sealedKey, identityOf(authority.id));
  // The CA returns the same account for the same key, if an earlier response was lost.
  const made = await authority.createAccount({ key, ...applicationFor(desk, authority) }, signal);
  if (made.ok) {
    const registered = { ...successor, url: made.value.url };
    await write(desk, { kind: "account.announce", successor: registered });
    return done(registered);
  }
  if (remedyOf(made.failure.code) !== "wait") {
    await write(desk, { kind: "account.withdraw", authority: authority.id });
  }
  return made;
}

async function keepSwitchAt(
  desk: LeasedContext,
  { switchAt: before, ...successor }: SuccessorAccount,
  switchAt: number | undefined,
): Promise<void> {
  if (before === switchAt) return;
  const kept = { ...successor, ...(switchAt !== undefined && { switchAt }) };
  await write(desk, { kind: "account.announce", successor: kept });
}

async function switchTo(desk: LeasedContext, successor: Registered): Outcome {
  const { authority, url, sealedKey } = successor;
  const now = desk.clock.now();
  const present = await desk.store.accounts.of(authority);
  const changes: DomainChange[] = [
    {
      kind: "account.save",
      account: { authority, url, sealedKey, createdAt: successor.createdAt },
    },
    { kind: "account.withdraw", authority },
  ];
  if (present?.url !== undefined) {
    const { url: before, sealedKey: key, createdAt } = present;
    const account = { authority, url: before, sealedKey: key, createdAt, replacedAt: now };
    changes.push({ kind: "account.retire", account });
  }
  await write(desk, ...changes);
  return done("switched");
}
