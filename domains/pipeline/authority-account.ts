import { done, type Result } from "../../lib/base/result.ts";
import { createPrivateKeyPem } from "../acme/keys.ts";
import { remedyOf, type AuthorityProblem } from "../model/acme-problem.ts";
import type { Account, CertificateAuthority } from "../ports/authority.ts";
import type { DomainChange, StoredAuthorityAccount } from "../ports/domain-change.ts";
import type { Lease } from "../ports/leases.ts";
import type { PipelineOptions } from "./context.ts";
import { LEASE_MS } from "./work.ts";

/** What keeping our accounts with authorities takes. */
export type AccountContext = Pick<
  PipelineOptions,
  "store" | "leases" | "seal" | "clock" | "application"
>;

type Outcome<Value> = Promise<Result<Value, AuthorityProblem>>;

/** The row that an account key is sealed to. */
const identityOf = (authority: string): string => `account ${authority}`;

/**
 * Our account with an authority, made when there is none. Its key is kept before the authority hears of it, so that
 * there is never an account whose key is lost. Undefined: another process is about to make or to change it.
 */
export async function accountWith(
  context: AccountContext,
  authority: CertificateAuthority,
  signal: AbortSignal,
): Promise<Result<Account, AuthorityProblem> | undefined> {
  const kept = await context.store.accounts.of(authority.id);
  if (kept?.url !== undefined && kept.nextSealedKey === undefined) {
    return done(opened(context, { ...kept, url: kept.url }));
  }
  return alone(context, authority, (desk) => existing(desk, authority, signal));
}

/**
 * Gives the account another key (RFC 8555 §7.3.5), which is kept before the authority hears of it. After a crash, or a
 * lost answer, whoever needs the account next finds out which key counts. Undefined: another process works on it.
 */
export function rollOver(
  context: AccountContext,
  authority: CertificateAuthority,
  signal: AbortSignal,
): Promise<Result<Account, AuthorityProblem> | undefined> {
  return alone(context, authority, async (desk) => {
    const account = await existing(desk, authority, signal);
    if (!account.ok) return account;
    return change(desk, authority, (key) => authority.changeKey(account.value, key, signal));
  });
}

/**
 * Makes another account, with another key, for all orders from now on. The one before is kept for as long as
 * certificates may need it. Undefined: another process works on it.
 */
export function replaceAccount(
  context: AccountContext,
  authority: CertificateAuthority,
  signal: AbortSignal,
): Promise<Result<Account, AuthorityProblem> | undefined> {
  return alone(context, authority, async (desk) => {
    const before = await desk.store.accounts.of(authority.id);
    const settled = await settle(desk, authority, signal);
    if (!settled.ok) return settled;
    const kept = settled.value;
    if (kept?.url === undefined) return existing(desk, authority, signal);
    // An earlier try made the account, and its answer was lost.
    if (kept.url !== before?.url) return done(opened(desk, { ...kept, url: kept.url }));
    const { application } = context;
    return change(desk, authority, (key) =>
      authority.createAccount({ key, ...application }, signal),
    );
  });
}

/** The context of one who holds the account's lease. */
type Desk = AccountContext & { readonly lease: Lease };

async function alone<Value>(
  context: AccountContext,
  { id }: CertificateAuthority,
  run: (desk: Desk) => Promise<Value>,
): Promise<Value | undefined> {
  const lease = await context.leases.acquire(`account:${id}`, LEASE_MS);
  if (lease === undefined) return undefined;
  try {
    return await run({ ...context, lease });
  } finally {
    await context.leases.release(lease);
  }
}

/** Throws when the lease went to another process meanwhile: what it does counts. */
async function write(
  { store, clock, lease }: Desk,
  ...changes: readonly DomainChange[]
): Promise<void> {
  const written = await store.commit(changes, { lease, until: clock.host.now() + LEASE_MS });
  if (!written.ok)
    throw new Error(`the account was changed by another process: ${written.failure}`);
}

async function existing(
  desk: Desk,
  authority: CertificateAuthority,
  signal: AbortSignal,
): Outcome<Account> {
  const { seal, clock, application } = desk;
  const { id } = authority;
  const settled = await settle(desk, authority, signal);
  if (!settled.ok) return settled;
  const kept = settled.value;
  if (kept?.url !== undefined) return done(opened(desk, { ...kept, url: kept.url }));
  const key =
    kept === undefined ? await createPrivateKeyPem() : seal.open(kept.sealedKey, identityOf(id));
  const account = kept ?? {
    authority: id,
    sealedKey: seal.close(key, identityOf(id)),
    createdAt: clock.now(),
  };
  if (kept === undefined) await write(desk, { kind: "account.save", account });
  const made = await authority.createAccount({ key, ...application }, signal);
  if (!made.ok) return made;
  const { url } = made.value;
  await write(desk, { kind: "account.save", account: { ...account, url } });
  return made;
}

/** The row, looked at again under the lease, once it is known which of two keys the authority accepts. */
async function settle(
  desk: Desk,
  authority: CertificateAuthority,
  signal: AbortSignal,
): Outcome<StoredAuthorityAccount | undefined> {
  const kept = await desk.store.accounts.of(authority.id);
  if (kept?.nextSealedKey === undefined) return done(kept);
  const next = desk.seal.open(kept.nextSealedKey, identityOf(authority.id));
  const found = await authority.findAccount(next, signal);
  if (found.ok) return done(await adopt(desk, kept, found.value.url));
  return remedyOf(found.failure.code) === "wait" ? found : done(await withoutNext(desk, kept));
}

/** Keeps a new key, lets `announce` tell the authority of it, and goes over to it. */
async function change(
  desk: Desk,
  { id }: CertificateAuthority,
  announce: (key: string) => Outcome<Account>,
): Outcome<Account> {
  const kept = await desk.store.accounts.of(id);
  if (kept === undefined) throw new Error(`the account with ${id} is gone`);
  const key = await createPrivateKeyPem();
  const announced = { ...kept, nextSealedKey: desk.seal.close(key, identityOf(id)) };
  await write(desk, { kind: "account.save", account: announced });
  const answer = await announce(key);
  if (answer.ok) await adopt(desk, announced, answer.value.url);
  // Without an answer nobody knows yet.
  else if (remedyOf(answer.failure.code) !== "wait") await withoutNext(desk, announced);
  return answer;
}

/** The key that was announced counts: for the same account, or for one that takes its place. */
async function adopt(
  desk: Desk,
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
  desk: Desk,
  { nextSealedKey: _next, ...account }: StoredAuthorityAccount,
): Promise<StoredAuthorityAccount> {
  await write(desk, { kind: "account.save", account });
  return account;
}

function opened(
  { seal }: Pick<AccountContext, "seal">,
  { authority, url, sealedKey }: StoredAuthorityAccount & { readonly url: string },
): Account {
  return { url, key: seal.open(sealedKey, identityOf(authority)) };
}

/** The key of a kept account, for its thumbprint. Secret. */
export function accountKeyOf(
  { seal }: Pick<AccountContext, "seal">,
  { authority, sealedKey }: StoredAuthorityAccount,
): string {
  return seal.open(sealedKey, identityOf(authority));
}
