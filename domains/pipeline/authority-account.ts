import { done, refused, type Result } from "../../lib/base/result.ts";
import { createPrivateKeyPem } from "../acme/keys.ts";
import { TIMED_OUT } from "../dns/gate.ts";
import { remedyOf, type AuthorityProblem } from "../model/acme-problem.ts";
import type { Account, CertificateAuthority } from "../ports/authority.ts";
import type { DomainChange, StoredAuthorityAccount } from "../ports/domain-change.ts";
import type { Lease } from "../ports/leases.ts";
import type { PipelineContext } from "./context.ts";
import { callsEndAt, inTime, LEASE_MS, tooSlow } from "./work.ts";

/** The dependencies of managing accounts with CAs. */
export type AccountContext = Pick<
  PipelineContext,
  "store" | "actor" | "leases" | "seal" | "clock" | "application"
>;

type Outcome<Value> = Promise<Result<Value, AuthorityProblem>>;

/** Returns what an account with a CA is created with: its own data, or those for all CAs. */
export function applicationFor(
  { application }: Pick<AccountContext, "application">,
  authority: Pick<CertificateAuthority, "application">,
): AccountContext["application"] {
  return authority.application ?? application;
}

/** Identifies the row that an account key is encrypted for. */
export const identityOf = (authority: string): string => `account ${authority}`;

/**
 * Returns our account with a CA, creating it if necessary. Its key is stored before the CA sees it, so that no
 * account is left without its key. Undefined: another process is creating or changing it.
 */
export async function accountWith(
  context: AccountContext,
  authority: CertificateAuthority,
  signal: AbortSignal,
): Promise<Result<Account, AuthorityProblem> | undefined> {
  const kept = await context.store.accounts.of(authority.id);
  if (kept?.url !== undefined && kept.nextSealedKey === undefined) {
    return done(decrypted(context, { ...kept, url: kept.url }));
  }
  return underLease(context, { authority, signal }, (desk) => findOrCreate(desk, authority));
}

/**
 * Replaces the account's key (RFC 8555 §7.3.5). The new key is stored before the CA sees it. After a crash or a
 * lost response, the next use of the account determines which key is valid. Undefined: another process is changing
 * it.
 */
export function rollOver(
  context: AccountContext,
  authority: CertificateAuthority,
  signal: AbortSignal,
): Promise<Result<Account, AuthorityProblem> | undefined> {
  return underLease(context, { authority, signal }, async (desk) => {
    const account = await findOrCreate(desk, authority);
    if (!account.ok) return account;
    return change(desk, authority, (key) => authority.changeKey(account.value, key, desk.signal));
  });
}

/** The dependencies, with the account's lease held. `signal` aborts calls to the CA before the lease expires. */
export type LeasedContext = AccountContext & {
  readonly lease: Lease;
  readonly signal: AbortSignal;
};

/** Runs a change of an account. Undefined: another process is changing it. */
export async function underLease<Value>(
  context: AccountContext,
  {
    authority: { id },
    signal,
  }: { readonly authority: CertificateAuthority; readonly signal: AbortSignal },
  run: (desk: LeasedContext) => Outcome<Value>,
): Promise<Result<Value, AuthorityProblem> | undefined> {
  const lease = await context.leases.acquire(`account:${id}`, LEASE_MS);
  if (lease === undefined) return undefined;
  try {
    const until = callsEndAt(context, { lease });
    const came = await inTime(context, { until, signal }, (limited) =>
      run({ ...context, lease, signal: limited }),
    );
    return came === TIMED_OUT ? refused(tooSlow) : came;
  } finally {
    await context.leases.release(lease);
  }
}

/** Throws if another process has taken the lease since. */
export async function write(
  { store, actor, clock, lease }: LeasedContext,
  ...changes: readonly DomainChange[]
): Promise<void> {
  const written = await store.commit(changes, actor, {
    lease,
    ttlMs: LEASE_MS,
    now: clock.host.now(),
  });
  if (!written.ok)
    throw new Error(`the account was changed by another process: ${written.failure}`);
}

/** Returns the account, creating it if necessary, while its lease is held. */
export async function findOrCreate(
  desk: LeasedContext,
  authority: CertificateAuthority,
): Outcome<Account> {
  const { seal, clock, signal } = desk;
  const { id } = authority;
  const settled = await resolveKey(desk, authority);
  if (!settled.ok) return settled;
  const kept = settled.value;
  if (kept?.url !== undefined) return done(decrypted(desk, { ...kept, url: kept.url }));
  // The CA lost the present account: CAA records may name its successor already.
  const known = kept ?? (await desk.store.accounts.successor(id));
  const key =
    known === undefined ? await createPrivateKeyPem() : seal.open(known.sealedKey, identityOf(id));
  const account = kept ?? {
    authority: id,
    sealedKey: known?.sealedKey ?? seal.close(key, identityOf(id)),
    createdAt: known?.createdAt ?? clock.now(),
  };
  if (kept === undefined) {
    const saved: DomainChange = { kind: "account.save", account };
    await write(desk, saved, { kind: "account.withdraw", authority: id });
  }
  const made = await authority.createAccount({ key, ...applicationFor(desk, authority) }, signal);
  if (!made.ok) return made;
  const { url } = made.value;
  await write(desk, { kind: "account.save", account: { ...account, url } });
  return made;
}

/** Rereads the row under the lease, and determines which of two keys is valid. */
export async function resolveKey(
  desk: LeasedContext,
  authority: CertificateAuthority,
): Outcome<StoredAuthorityAccount | undefined> {
  const kept = await desk.store.accounts.of(authority.id);
  if (kept?.nextSealedKey === undefined) return done(kept);
  const next = desk.seal.open(kept.nextSealedKey, identityOf(authority.id));
  const found = await authority.findAccount(next, desk.signal);
  if (found.ok) return done(await switchKey(desk, kept, found.value.url));
  return remedyOf(found.failure.code) === "wait" ? found : done(await withoutNext(desk, kept));
}

/** Stores a new key, registers it with the CA by calling `announce`, and switches to it. */
async function change(
  desk: LeasedContext,
  { id }: CertificateAuthority,
  announce: (key: string) => Outcome<Account>,
): Outcome<Account> {
  const kept = await desk.store.accounts.of(id);
  if (kept === undefined) throw new Error(`the account with ${id} is gone`);
  const key = await createPrivateKeyPem();
  const announced = { ...kept, nextSealedKey: desk.seal.close(key, identityOf(id)) };
  await write(desk, { kind: "account.save", account: announced });
  const answer = await announce(key);
  if (answer.ok) await switchKey(desk, announced, answer.value.url);
  // Without a response it stays unknown which key is valid.
  else if (remedyOf(answer.failure.code) !== "wait") await withoutNext(desk, announced);
  return answer;
}

/** Makes the announced key the valid one, for the same account or for its successor. */
async function switchKey(
  desk: LeasedContext,
  { nextSealedKey, ...kept }: StoredAuthorityAccount,
  url: string,
): Promise<StoredAuthorityAccount> {
  const now = desk.clock.now();
  const { authority, url: before, sealedKey, createdAt } = kept;
  const same = before === url;
  const account: StoredAuthorityAccount = {
    authority,
    url,
    sealedKey: nextSealedKey ?? sealedKey,
    createdAt: same ? createdAt : now,
  };
  const changes: DomainChange[] = [{ kind: "account.save", account }];
  if (before !== undefined && !same) {
    const replaced = { authority, url: before, sealedKey, createdAt, replacedAt: now };
    changes.push({ kind: "account.retire", account: replaced });
  }
  await write(desk, ...changes);
  return account;
}

async function withoutNext(
  desk: LeasedContext,
  { nextSealedKey: _next, ...account }: StoredAuthorityAccount,
): Promise<StoredAuthorityAccount> {
  await write(desk, { kind: "account.save", account });
  return account;
}

function decrypted(
  { seal }: Pick<AccountContext, "seal">,
  { authority, url, sealedKey }: StoredAuthorityAccount & { readonly url: string },
): Account {
  return { url, key: seal.open(sealedKey, identityOf(authority)) };
}

/** Returns the key of a stored account, to compute its thumbprint. Secret. */
export function accountKeyOf(
  { seal }: Pick<AccountContext, "seal">,
  { authority, sealedKey }: StoredAuthorityAccount,
): string {
  return seal.open(sealedKey, identityOf(authority));
}
