import { MAX_SKEW_MS } from "./clock-skew.ts";
import type { ActiveCertificate, Domain, Issuance } from "./domain.ts";
import { withoutUndefined } from "../../lib/base/without-undefined.ts";

/**
 * Corrects a domain that was written while the clock was ahead. If it contains past events later than `now`, its
 * waits would last until then, so all its instants move back by the difference. The certificate's own dates stay.
 * If `now` is the CA's time, the certificate's arrival moves back to its `notBefore` at most, so that a certificate
 * from before the clock error is not renewed early.
 */
export function clockCorrected(domain: Domain, now: number, timeKnown: boolean): Domain {
  const byMs = Math.max(...pastInstants(domain)) - now;
  return byMs > MAX_SKEW_MS ? movedBack(domain, byMs, timeKnown) : domain;
}

/** Returns the instants of past events, none of which can be later than now. */
function pastInstants(domain: Domain): readonly number[] {
  const { addedAt, watch, dns, heldSince, lostAt, claim, gates, issuance } = domain;
  const { certificate, liveSince, outside, removal } = domain;
  const all = [
    addedAt,
    watch.since,
    dns.checkedAt,
    dns.passedAt,
    heldSince,
    lostAt,
    claim?.since,
    gates.seenAt,
    gates.lapsedAt,
    gates.stoppedAt,
    ...issuance.failedAt,
    issuance.failure?.at,
    issuance.order?.openedAt,
    issuance.stalledAt,
    certificate?.activeSince,
    certificate?.warnedAt,
    certificate?.probedAt,
    liveSince,
    outside?.wantedAt,
    removal?.at,
  ];
  return all.filter((at) => at !== undefined);
}

function movedBack(domain: Domain, byMs: number, timeKnown: boolean): Domain {
  const { watch, dns, claim, gates, outside, removal, revocation, certificate } = domain;
  const back = <Fields extends object>(
    fields: Fields,
    ...keys: readonly (keyof Fields)[]
  ): Fields => {
    const moved = { ...fields };
    for (const key of keys) {
      const at: unknown = fields[key];
      if (typeof at === "number") Object.assign(moved, { [key]: at - byMs });
    }
    return moved;
  };
  return {
    ...back(domain, "addedAt", "heldSince", "lostAt", "liveSince"),
    watch: back(watch, "since"),
    dns: back(dns, "checkedAt", "passedAt", "eta"),
    gates: back(gates, "seenAt", "lapsedAt", "stoppedAt"),
    issuance: issuanceBack(domain.issuance),
    ...withoutUndefined({
      claim: claim && back(claim, "since", "until"),
      outside: outside && back(outside, "wantedAt"),
      removal: removal && back(removal, "at"),
      revocation: revocation && back(revocation, "since", "resumeAt"),
      certificate: certificate && certificateBack(certificate),
    }),
  };

  function issuanceBack(issuance: Issuance): Issuance {
    const { failedAt, failure, order, granted, replaced } = issuance;
    return {
      ...back(issuance, "notBefore", "stalledAt"),
      failedAt: failedAt.map((at) => at - byMs),
      ...withoutUndefined({
        failure: failure && back(failure, "at", "until"),
        order: order && back(order, "openedAt", "resumeAt"),
        granted: granted && back(granted, "resumeAt"),
        replaced: replaced?.map((one) => back(one, "at")),
      }),
    };
  }

  function certificateBack(of: ActiveCertificate): ActiveCertificate {
    const { notBefore, activeSince, renewAt } = of;
    const lateMs = timeKnown ? Math.min(byMs, Math.max(0, activeSince - notBefore)) : byMs;
    return {
      ...back(of, "warnedAt", "probedAt"),
      activeSince: activeSince - lateMs,
      renewAt: renewAt - lateMs,
      ...withoutUndefined({
        renewal: of.renewal && back(of.renewal, "checkAt"),
        replace: of.replace && back(of.replace, "at"),
      }),
    };
  }
}
