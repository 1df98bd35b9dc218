import { refused } from "../../lib/base/result.ts";
import { inspectLeaf } from "../acme/inspect.ts";
import { TIMED_OUT } from "../dns/gate.ts";
import { causeOf } from "../model/authority-pause.ts";
import type { ActiveCertificate, Domain } from "../model/domain.ts";
import { renewalPollAt, withoutWindowsAt } from "../model/apply-certificate.ts";
import type { CertificateAuthority } from "../ports/authority.ts";
import type { PipelineContext } from "./context.ts";
import { fraction } from "../model/renewal.ts";
import { callsEndAt, inTime, save, tooSlow, type Work } from "./work.ts";

/**
 * Asks the CA when to replace the certificate (RFC 9773). The response reveals revocations and spreads renewals as
 * the CA prefers. Undefined as in `save`; `busy` as in `order`.
 */
export async function askRenewalInfo(
  context: PipelineContext,
  work: Work,
): Promise<Domain | undefined | "busy"> {
  const { clock, random, authorities, log } = context;
  const { domain } = work;
  const { certificate, name } = domain;
  if (certificate === undefined) return domain;
  const authority = authorities.find(({ id }) => id === certificate.authority);
  const asked = {
    kind: "renewal_info",
    certificateId: certificate.id,
    spread: fraction(random),
  } as const;
  const pause = await context.store.pauses.of(certificate.authority);
  // It answers orders first; what it says about renewals can wait.
  if (causeOf(pause, clock.now()) === "down") {
    return save(context, work, {
      ...asked,
      checkAt: renewalPollAt(clock.now(), undefined, asked.spread),
    });
  }
  const until = callsEndAt(context, work);
  if (until <= clock.host.now()) return "busy";
  const answer = await inTime(context, { ...work, until }, async (signal) => {
    // The CA's windows are in its own time.
    await clock.compare(signal);
    const directory = await authority?.directory(signal);
    if (authority === undefined || directory === undefined) return undefined;
    if (!directory.ok) return directory;
    const id = await renewalIdOf(context, certificate, authority, signal);
    return id === undefined ? undefined : authority.renewalInfo(id, signal);
  });
  if (answer === undefined) {
    return save(context, work, { ...asked, checkAt: withoutWindowsAt(clock.now()) });
  }
  const info = answer === TIMED_OUT ? refused(tooSlow) : answer;
  const retryAt = info.ok ? info.value.retryAt : info.failure.retryAt;
  const heeded = retryAt === undefined ? undefined : clock.fromHost(retryAt);
  const checkAt = renewalPollAt(clock.now(), heeded, asked.spread);
  if (!info.ok) {
    log.info("a CA did not say when a certificate is to be replaced", {
      name,
      code: info.failure.code,
      message: info.failure.message,
    });
    return save(context, work, { ...asked, checkAt });
  }
  const saved = await save(context, work, { ...asked, info: info.value, checkAt });
  const { explanationUrl } = info.value;
  const isNew = explanationUrl !== certificate.renewal?.explanationUrl;
  if (explanationUrl !== undefined && isNew) {
    log.warn("a CA wants a certificate replaced", { name, explanationUrl });
  }
  return saved;
}

/**
 * Returns the CA's id of a certificate for renewal requests; undefined if the CA offers no renewal information, or
 * another CA issued the certificate.
 */
export async function renewalIdOf(
  { store }: Pick<PipelineContext, "store">,
  certificate: Pick<ActiveCertificate, "id" | "authority">,
  authority: CertificateAuthority | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (authority?.id !== certificate.authority) return undefined;
  const directory = await authority.directory(signal);
  if (!directory.ok || !directory.value.renewalInfo) return undefined;
  const kept = await store.certificates.byId(certificate.id);
  return inspectLeaf(kept?.chainPem ?? "")?.renewalId;
}
