import { isoTime } from "../../lib/base/clock.ts";
import type { Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type {
  CertificateView,
  DomainView,
  ExportedCertificate,
  OverdueView,
  RehearsalView,
} from "../view/shapes.ts";
import { inspectLeaf } from "../acme/inspect.ts";
import { causeOf, probeableAt, type AuthorityPause } from "../model/authority-pause.ts";
import { isAllowed, type Domain, type RevocationReason } from "../model/domain.ts";
import { scheduleRevocation } from "../model/apply-certificate.ts";
import { applyOutcome } from "../model/apply-outcome.ts";
import { chooseAuthority } from "../pipeline/issuer.ts";
import { isOverdue } from "../model/overdue.ts";
import { isOwnHost, ownProjectId } from "../model/own-host.ts";
import { certificateView } from "../view/certificate.ts";
import { gateCodes } from "../view/headline.ts";
import type { DomainsContext, Owner } from "./context.ts";
import { findDomain, normalizedName, showChanged, showDomain } from "./show-domain.ts";
import {
  authorityPaused,
  busy,
  noOtherAuthority,
  noSuchAuthority,
  noSuchHost,
  notAllowed,
  notOrderedYet,
  orderOpen,
  revokingAnother,
  tooManyOrders,
  withoutCertificate,
} from "./refusals.ts";
import { saveDomain } from "./save-domains.ts";

/** Lists a page of the certificates that visitors get. `next` is the `after` of the next page, if there is one. */
export async function listCertificates(
  { store, gatekeeper }: Pick<DomainsContext, "store" | "gatekeeper">,
  { after = 0, limit }: { readonly after?: number; readonly limit: number },
): Promise<{
  readonly certificates: readonly CertificateView[];
  readonly next: number | undefined;
}> {
  // One more than shown, to know whether another page exists.
  const served = await store.domains.served(after, limit + 1);
  const page = served.slice(0, limit);
  const slugs = new Map<string, string | null>();
  const certificates: CertificateView[] = [];
  for (const { domain } of page) {
    const { projectId } = domain;
    const known = slugs.get(projectId);
    const slug = known === undefined ? await slugIn(gatekeeper, domain) : known;
    slugs.set(projectId, slug);
    const view = certificateView(domain, slug);
    if (view !== undefined) certificates.push(view);
  }
  return { certificates, next: served.length > limit ? page.at(-1)?.seq : undefined };
}

/** Domains of an account that are read at a time. */
const PAGE = 200;

/** Counts the overdue certificates of an account, or those of all that the operator is told of. */
export async function overdueCertificates(
  { store: { domains }, gatekeeper, clock }: Pick<DomainsContext, "store" | "gatekeeper" | "clock">,
  accountId: string | undefined,
): Promise<OverdueView> {
  const now = clock.now();
  if (accountId === undefined) {
    const { firstExpiresAt: expiresAt, ...counts } = await domains.overdue(now);
    const [domain] = await domains.firstOverdue(now, 1);
    const isNone = expiresAt === undefined || domain === undefined;
    return { ...counts, first: isNone ? null : { domain, project: null, expiresAt } };
  }
  const found: Domain[] = [];
  for (let after: string | undefined; ;) {
    const page = await domains.ofAccount(accountId, { after, limit: PAGE });
    found.push(...page.filter((domain) => isOverdue(domain, now)));
    after = page.at(-1)?.id;
    if (page.length < PAGE) break;
  }
  const endOf = ({ certificate }: Domain): number => certificate?.notAfter ?? Infinity;
  const [first] = found.toSorted((a, b) => endOf(a) - endOf(b));
  return {
    overdue: found.length,
    expired: found.filter((domain) => endOf(domain) <= now).length,
    first:
      first === undefined
        ? null
        : {
            domain: first.name,
            project: await slugIn(gatekeeper, first),
            expiresAt: endOf(first),
          },
  };
}

async function slugIn(
  gatekeeper: DomainsContext["gatekeeper"],
  domain: Domain,
): Promise<string | null> {
  if (isOwnHost(domain)) return null;
  return (await gatekeeper.slugOf(domain.projectId)) ?? domain.projectId;
}

/**
 * Orders the next certificate now, regardless of earlier failures and of waits that the CA asked for. Otherwise refused
 * with the reason: `limit_reached` at our own limits, one of which is one order a minute while the CA takes none, `domain_not_ready` for a name that was never verified, or whose DNS
 * is not correct now; then the order starts once it is.
 */
export async function renewCertificate(
  context: DomainsContext,
  owner: Owner,
  typed: string,
): Promise<Result<DomainView, Problem>> {
  const found = await findDomain(context, owner, typed);
  return found.ok ? renew(context, found.value) : found;
}

/** Renews the certificate of a host of the service itself, or of the domain that holds the name; else `not_found`. */
export async function renewHostCertificate(
  context: DomainsContext,
  typed: string,
): Promise<Result<DomainView, Problem>> {
  const found = await hostNamed(context, typed);
  return found === undefined ? refused(noSuchHost) : renew(context, found);
}

async function renew(context: DomainsContext, found: Domain): Promise<Result<DomainView, Problem>> {
  const { id } = found;
  const saved = await saveDomain(context, id, async (from) => {
    const { certificate, heldSince, removal } = from;
    const nothing = certificate === undefined && heldSince === undefined && !isOwnHost(from);
    if (nothing || removal !== undefined) return refused(withoutCertificate);
    const now = context.clock.now();
    const { domain: requested } = applyOutcome(from, { kind: "check_requested" }, now);
    const { domain: to } = applyOutcome(requested, { kind: "replace", reason: "asked" }, now);
    const hindrance = hindranceOf(to, now);
    if (hindrance !== undefined) return refused(hindrance);
    const news = [{ kind: "changed", message: "A renewal was requested." }] as const;
    const pause = await pauseOf(context, to, now);
    if (pause === undefined) return done({ to, news });
    const at = probeableAt(pause, now);
    if (at > now) return refused(authorityPaused(pause, at, now));
    return done({ to, news, also: [{ kind: "authority.probe", pause, domainId: id, at: now }] });
  });
  if (!saved.ok) {
    return saved.failure === withoutCertificate
      ? refused(await withoutCertificateOf(context, found))
      : saved;
  }
  const checked = await context.verify(id, context.stopping);
  const shown = await showChanged(context, id);
  if (!shown.ok || checked === undefined) return shown;
  const { dns, watch, unicode, gates } = checked;
  if (!isAllowed(gates)) {
    const { observed, fix } = shown.value.dns.findings.find(({ code }) => gateCodes.has(code)) ?? {
      observed: "Its project may have no domains.",
      fix: "",
    };
    return refused(notAllowed(unicode, `${observed} ${fix}`));
  }
  // Without an answer yet, the order follows the check.
  const isAnswered = (dns.checkedAt ?? 0) >= watch.since;
  if (!isAnswered || dns.state === "verified") return shown;
  const [code] = dns.codes;
  // The check of our own hosts has no findings.
  const { observed = code === undefined ? "The DNS did not answer." : `The check found ${code}.` } =
    shown.value.dns.findings.find(({ severity }) => severity !== "ok") ?? {};
  return refused(notOrderedYet(unicode, observed));
}

/** Returns the pause of all new orders that holds at the CA for the next one, unless an order is open already. */
async function pauseOf(
  { store, accounts: { authorities }, clock }: DomainsContext,
  domain: Domain,
  now: number,
): Promise<AuthorityPause | undefined> {
  if (domain.issuance.order !== undefined) return undefined;
  const { authority } = await chooseAuthority({ authorities, store, clock }, domain);
  const pause = await store.pauses.of(authority.id);
  return causeOf(pause, now) === undefined ? undefined : pause;
}

/** Says what the domain waits for: the finding that blocks it, or else its state. */
async function withoutCertificateOf(context: DomainsContext, found: Domain): Promise<Problem> {
  const { dns, headline } = await showDomain(context, found);
  const blocking = dns.findings.find(({ severity }) => severity !== "ok");
  const cause = blocking === undefined ? headline : `${blocking.observed} (${blocking.code})`;
  return { ...withoutCertificate, message: `${withoutCertificate.message} ${cause}` };
}

/** Returns why a requested order may not start now; undefined if it may. */
function hindranceOf({ certificate, issuance, unicode }: Domain, now: number): Problem | undefined {
  const allowedAt = certificate?.replace?.at ?? now;
  const at = Math.max(allowedAt, issuance.notBefore);
  if (at <= now) return undefined;
  const { message } = issuance.failure ?? {};
  const last = message === undefined ? "" : ` The last failure: ${message}`;
  return tooManyOrders(
    at === allowedAt
      ? `${unicode} had three new certificates within a day. The next one can be ordered at ${isoTime(at)}.`
      : `Recent orders for ${unicode} have failed, and certificate authorities limit such attempts. Order again at ${isoTime(at)}.${last}`,
  );
}

/** Returns a certificate with its key, for operators. Records the export first. `domain_not_ready` without one. */
export async function exportCertificate(
  context: DomainsContext,
  owner: Owner,
  typed: string,
): Promise<Result<ExportedCertificate, Problem>> {
  const found = await findDomain(context, owner, typed);
  if (!found.ok) return found;
  const { id, certificate } = found.value;
  const exported = certificate === undefined ? undefined : await context.exported(certificate.id);
  if (exported === undefined) return refused(withoutCertificate);
  const saved = await saveDomain(context, id, (from) => {
    const message = "The certificate was exported with its key.";
    return done({ to: from, news: [{ kind: "changed", message }] });
  });
  return saved.ok ? done(exported) : saved;
}

/**
 * Requests the revocation of a certificate (RFC 8555 §7.6). If the domain is attached, another certificate is served
 * first, within a day. `keyCompromise` blocks the key permanently, at once. `domain_not_ready` without a certificate.
 */
export async function revokeCertificate(
  context: DomainsContext,
  owner: Owner,
  typed: string,
  reason: RevocationReason,
): Promise<Result<DomainView, Problem>> {
  const found = await findDomain(context, owner, typed);
  return found.ok ? revoke(context, found.value, reason) : found;
}

/** Revokes the certificate of a host of the service itself, or of the domain that holds the name. */
export async function revokeHostCertificate(
  context: DomainsContext,
  typed: string,
  reason: RevocationReason,
): Promise<Result<DomainView, Problem>> {
  const found = await hostNamed(context, typed);
  return found === undefined ? refused(noSuchHost) : revoke(context, found, reason);
}

async function revoke(
  context: DomainsContext,
  { id, certificate }: Domain,
  reason: RevocationReason,
): Promise<Result<DomainView, Problem>> {
  const { store, commit, clock } = context;
  const kept = certificate && (await store.certificates.byId(certificate.id));
  if (certificate === undefined || kept === undefined) return refused(withoutCertificate);
  const { chainPem, sealedKey, notAfter } = kept;
  const fingerprint = inspectLeaf(chainPem)?.publicKey;
  if (reason === "keyCompromise" && fingerprint !== undefined) {
    await commit([{ kind: "key.block", fingerprint, at: clock.now() }]);
  }
  const saved = await saveDomain(context, id, (from) => {
    const now = clock.now();
    const pending = from.revocation;
    if (pending !== undefined && pending.certificateId !== certificate.id) {
      return refused(revokingAnother);
    }
    if (from.certificate?.id !== certificate.id) return refused(busy);
    const revocation = {
      certificateId: certificate.id,
      authority: certificate.authority,
      reason,
      since: pending?.since ?? now,
      resumeAt: now,
      chainPem,
      sealedKey,
      notAfter,
    };
    const message = `A revocation was requested (${reason}).`;
    const { domain } = applyOutcome(from, { kind: "check_requested" }, now);
    return done({
      to: scheduleRevocation(domain, revocation, now),
      news: [{ kind: "changed", message }],
    });
  });
  return saved.ok ? showChanged(context, id) : saved;
}

/**
 * Performs a whole renewal at another CA, or at the one for tests, with an account of its own, and changes nothing that
 * is served or stored. `authority` is the address of a directory; default: the CA for tests, else one that did not issue the present certificate.
 * `not_found` for an unknown CA, `unavailable` while an order is open.
 */
export async function rehearseHostRenewal(
  context: DomainsContext,
  typed: string,
  named?: string,
): Promise<Result<RehearsalView, Problem>> {
  const found = await hostNamed(context, typed);
  if (found === undefined) return refused(noSuchHost);
  const { rehearsalAuthorities, accounts, stopping } = context;
  const { authorities } = accounts;
  const present = found.certificate?.authority ?? authorities[0].id;
  const authority =
    named === undefined
      ? (rehearsalAuthorities[0] ?? authorities.find(({ id }) => id !== present))
      : [...rehearsalAuthorities, ...authorities].find(({ id }) => id === named);
  if (authority === undefined) {
    return refused(named === undefined ? noOtherAuthority : noSuchAuthority);
  }
  const rehearsed = await context.rehearse(found, authority, stopping);
  if (rehearsed === undefined) return refused(orderOpen);
  const { passed, failure, challenge = null, notAfter = null } = rehearsed;
  const more = failure?.code === "caa" ? ` ${OTHER_ACCOUNT}` : "";
  return done({
    domain: found.unicode,
    authority: authority.id,
    passed,
    failed: failure?.part ?? null,
    reason: failure === undefined ? null : failure.message + more,
    challenge,
    notAfter,
  });
}

const OTHER_ACCOUNT =
  "A rehearsal has an account of its own: CAA records that name another one refuse it.";

/** Finds a host of the service itself by its name, else the domain that holds the name. */
async function hostNamed(
  { store: { domains } }: Pick<DomainsContext, "store">,
  typed: string,
): Promise<Domain | undefined> {
  const name = normalizedName(typed);
  if (name === undefined) return undefined;
  const [own] = await domains.ofProject(ownProjectId(name));
  return own ?? domains.holderOf(name);
}
