import { messageForOwners, remedyOf, type AuthorityProblem } from "../model/acme-problem.ts";
import type { Domain, Revocation } from "../model/domain.ts";
import type { CertificateAuthority } from "../ports/authority.ts";
import { TIMED_OUT } from "../dns/gate.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { accountWith } from "./authority-account.ts";
import { certificateIdentity } from "./activate.ts";
import type { PipelineContext } from "./context.ts";
import { callsEndAt, inTime, save, tooSlow, type Work } from "./work.ts";

/** Revokes the certificate that is marked for revocation. Undefined as in `save`; `busy` as in `order`. */
export async function revoke(
  context: PipelineContext,
  work: Work,
): Promise<Domain | undefined | "busy"> {
  const { revocation, name } = work.domain;
  if (revocation === undefined) return work.domain;
  const authority = context.authorities.find(({ id }) => id === revocation.authority);
  if (authority === undefined) {
    const message = "The authority is not configured any more.";
    return save(context, work, { kind: "revoked", refusal: { message, retry: false } });
  }
  const until = callsEndAt(context, work);
  if (until <= context.clock.host.now()) return "busy";
  const sent = await inTime(context, { ...work, until }, (signal) =>
    sendRevocation(context, { ...work, signal }, authority, revocation),
  );
  if (sent === undefined) return "busy";
  const result = sent === TIMED_OUT ? refused(tooSlow) : sent;
  const { reason } = revocation;
  if (result.ok || result.failure.code === "already_revoked") {
    context.log.info("a certificate was revoked", { name, reason });
    return save(context, work, { kind: "revoked" });
  }
  const { code, message, retryAt } = result.failure;
  context.log.warn("a certificate could not be revoked", { name, reason, code, message });
  const retry = remedyOf(code) === "wait";
  const later = retryAt === undefined ? {} : { retryAt: context.clock.fromHost(retryAt) };
  const refusal = { message: messageForOwners(result.failure), retry, ...later };
  return save(context, work, { kind: "revoked", refusal });
}

/**
 * Signs with the certificate's own key where that key is compromised: this proves it, and the CA can block the key.
 * Otherwise signs with the account key, or with the certificate's key if the CA refuses the account.
 */
async function sendRevocation(
  context: PipelineContext,
  { signal }: Work,
  authority: CertificateAuthority,
  { certificateId, chainPem, sealedKey, reason }: Revocation,
): Promise<Result<void, AuthorityProblem> | undefined> {
  const byKey = () => {
    const key = context.seal.open(sealedKey, certificateIdentity(certificateId));
    return authority.revoke({ key }, chainPem, reason, signal);
  };
  if (reason === "keyCompromise") return byKey();
  const account = await accountWith(context, authority, signal);
  if (account === undefined) return undefined;
  if (account.ok) {
    const result = await authority.revoke(account.value, chainPem, reason, signal);
    if (result.ok || !ACCOUNT_REFUSALS.has(result.failure.code)) return result;
  } else if (remedyOf(account.failure.code) === "wait") return account;
  const result = await byKey();
  return result.ok ? done(undefined) : result;
}

/** The account is closed, unknown, or not the one that ordered the certificate. */
const ACCOUNT_REFUSALS: ReadonlySet<string> = new Set([
  "account_deactivated",
  "account_refused",
  "account_unknown",
]);
