import { done, type Result } from "../../lib/base/result.ts";
import { createPrivateKeyPem } from "../acme/keys.ts";
import type { AuthorityProblem } from "../model/acme-problem.ts";
import type { Account, CertificateAuthority } from "../ports/authority.ts";
import type { PipelineContext } from "./context.ts";
import { LEASE_MS } from "./work.ts";

const identityOf = (authority: string): string => `account ${authority}`;

/**
 * Our account with an authority, made when there is none. Its key is kept before the authority hears of it, so that
 * there is never an account whose key is lost. Undefined: another process is about to make it.
 */
export async function accountWith(
  context: PipelineContext,
  authority: CertificateAuthority,
  signal: AbortSignal,
): Promise<Result<Account, AuthorityProblem> | undefined> {
  const { store, leases, seal } = context;
  const { id } = authority;
  const kept = await store.accounts.of(id);
  if (kept?.url !== undefined) {
    return done({ url: kept.url, key: seal.open(kept.sealedKey, identityOf(id)) });
  }
  const lease = await leases.acquire(`account:${id}`, LEASE_MS);
  if (lease === undefined) return undefined;
  try {
    return await make(context, authority, signal);
  } finally {
    await leases.release(lease);
  }
}

async function make(
  { store, seal, clock, application }: PipelineContext,
  authority: CertificateAuthority,
  signal: AbortSignal,
): Promise<Result<Account, AuthorityProblem>> {
  const { id } = authority;
  // Looked at again: another process may have been first.
  const kept = await store.accounts.of(id);
  const key =
    kept === undefined ? await createPrivateKeyPem() : seal.open(kept.sealedKey, identityOf(id));
  if (kept?.url !== undefined) return done({ url: kept.url, key });
  const account = kept ?? {
    authority: id,
    sealedKey: seal.close(key, identityOf(id)),
    createdAt: clock.now(),
  };
  if (kept === undefined) await store.commit([{ kind: "account.save", account }]);
  const made = await authority.createAccount({ key, ...application }, signal);
  if (!made.ok) return made;
  const { url } = made.value;
  await store.commit([{ kind: "account.save", account: { ...account, url } }]);
  return made;
}
