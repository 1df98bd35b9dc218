import { DAY_MS, HOUR_MS } from "../../lib/base/clock.ts";
import { mayIssue, type ActiveCertificate, type Domain } from "./domain.ts";
import { isOwnHost } from "./own-host.ts";

/** Bounds of the time in which a stage is told once. */
const TOLD_WITHIN_MS = [HOUR_MS, 7 * DAY_MS] as const;

/**
 * Returns the time in which an account, or the operator, learns once that certificates have reached a stage, however
 * many follow: until the certificate reaches the next one, but an hour to seven days.
 */
export function toldEveryMs({ renewAt, notAfter }: RenewalDates): number {
  const [least, most] = TOLD_WITHIN_MS;
  return Math.min(most, Math.max(least, Math.floor((notAfter - renewAt) / 4)));
}

/** How much of the time from a certificate's renewal to its expiry has passed, in quarters. 0: it is not overdue. */
export type OverdueStage = 0 | 1 | 2 | 3;

type RenewalDates = Pick<ActiveCertificate, "renewAt" | "notAfter">;

/** Returns when a certificate reaches a stage. */
export function stageAt({ renewAt, notAfter }: RenewalDates, stage: OverdueStage): number {
  return renewAt + Math.floor(((notAfter - renewAt) * stage) / 4);
}

/** Returns the last stage that a certificate has reached. */
export function stageReached(certificate: RenewalDates, now: number): OverdueStage {
  const passed = ([3, 2, 1] as const).find((stage) => now >= stageAt(certificate, stage));
  return passed ?? 0;
}

/** Returns the last stage that was announced. Earlier versions announced the second one only, without its number. */
function stageTold({ warnedAt, warned }: ActiveCertificate): OverdueStage {
  return warned ?? (warnedAt === undefined ? 0 : 2);
}

/** Returns when the next stage, and after the last one the expiry, is to be announced; undefined after that. */
export function nextWarningAt(certificate: ActiveCertificate): number | undefined {
  const told = stageTold(certificate);
  if (told === 3) return certificate.endedToldAt === undefined ? certificate.notAfter : undefined;
  return stageAt(certificate, told === 0 ? 1 : told === 1 ? 2 : 3);
}

/** What accounts and the operator are told of: a stage, or with 4 that a certificate has expired. */
export type NoticeStage = 1 | 2 | 3 | 4;

/** Returns what was last announced about a certificate, and when; undefined: nothing, or by a version without stages. */
export function lastNotice({
  warned,
  warnedAt = 0,
  endedToldAt,
}: ActiveCertificate): { readonly stage: NoticeStage; readonly at: number } | undefined {
  if (endedToldAt !== undefined) return { stage: 4, at: endedToldAt };
  return warned === undefined ? undefined : { stage: warned, at: warnedAt };
}

/** Returns a certificate whose stage, or expiry, has been announced. */
export function withNotice(
  certificate: ActiveCertificate,
  stage: Exclude<OverdueStage, 0>,
  now: number,
): ActiveCertificate {
  const told = certificate.warned === stage ? certificate : { ...certificate, warnedAt: now };
  const ended = now >= certificate.notAfter ? { endedToldAt: now } : {};
  return { ...told, warned: stage, ...ended };
}

/** Reports whether a certificate should have been replaced some time ago: at a quarter of the time until its expiry. */
export function isOverdue(domain: Domain, now: number): boolean {
  const { certificate } = domain;
  return certificate !== undefined && mayIssue(domain) && now >= stageAt(certificate, 1);
}

/**
 * Returns when the operator is told that a certificate is overdue; undefined if no certificate is ordered, or if the
 * owner has to correct the DNS first.
 */
export function operatorToldAt(domain: Domain): number | undefined {
  const { certificate, dns } = domain;
  if (certificate === undefined || !mayIssue(domain)) return undefined;
  // CAA records may be the operator's, and the DNS of the service's own hosts is.
  const ofOwner =
    !isOwnHost(domain) && dns.state === "blocked" && !dns.codes.includes("caa_forbids");
  return ofOwner ? undefined : stageAt(certificate, 1);
}
