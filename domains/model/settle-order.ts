import { budgetedAt, countFailure, nextOrderAt } from "./backoff.ts";
import type { Domain, Issuance } from "./domain.ts";
import type { OutcomeOf, Settled } from "./domain-outcome.ts";
import { emergencyAt } from "./renewal.ts";

/** An order was begun. */
export function begun(domain: Domain, resumeAt: number, now: number): Settled {
  const { attempts, ...issuance } = domain.issuance;
  const order = { openedAt: now, resumeAt };
  return {
    domain: { ...domain, issuance: { ...issuance, attempts: attempts + 1, order } },
    news: domain.certificate === undefined ? [{ kind: "issuing" }] : [],
  };
}

/** A validation failed and counts, and the order goes on in another way. */
export function unproven(
  domain: Domain,
  { failedBefore, fallback, message, resumeAt }: OutcomeOf<"unproven">,
  now: number,
): Settled {
  const { issuance, ...rest } = withOrder(domain, resumeAt);
  const failedAt = countFailure(issuance.failedAt, now);
  return {
    domain: { ...rest, issuance: { ...issuance, failedAt, challenge: fallback } },
    news: [
      {
        kind: "changed",
        code: "validation_failed",
        message: `The proof by ${failedBefore} failed, and ${fallback} is tried. The certificate authority said: ${message}`,
      },
    ],
  };
}

/** What is open, and what was granted, waits until `resumeAt`. */
export function withOrder(domain: Domain, resumeAt: number): Domain {
  const { order, granted } = domain.issuance;
  const issuance = {
    ...domain.issuance,
    ...(order === undefined ? {} : { order: { ...order, resumeAt } }),
    ...(granted === undefined ? {} : { granted: { ...granted, resumeAt } }),
  };
  return { ...domain, issuance };
}

/** Order and authorizations are gone. */
export function withoutOrders(domain: Domain): Domain {
  const { granted: _granted, ...issuance } = withoutOrder(domain.issuance);
  return { ...domain, issuance };
}

function withoutOrder({ order: _order, ...issuance }: Issuance): Issuance {
  return issuance;
}

/** An order came to nothing. */
export function failed(domain: Domain, outcome: OutcomeOf<"order_failed">, now: number): Settled {
  const { failure, code, message, until, helpUrl, granted } = outcome;
  const { failures, failedAt, challenge, ...issuance } = withoutOrder(domain.issuance);
  const validation = failure === "validation";
  const counted = validation ? countFailure(failedAt, now) : failedAt;
  const next = nextOrderAt({
    failure,
    failures: failures + 1,
    now,
    urgent: domain.certificate !== undefined && now >= emergencyAt(domain.certificate),
    ...(until === undefined ? {} : { until }),
  });
  const other = challenge === "http-01" ? "tls-alpn-01" : "http-01";
  return {
    domain: {
      ...domain,
      issuance: {
        ...issuance,
        failures: failures + 1,
        failedAt: counted,
        challenge: validation ? other : challenge,
        failure: {
          code,
          message,
          at: now,
          ...(until === undefined ? {} : { until }),
          ...(helpUrl === undefined ? {} : { helpUrl }),
        },
        notBefore: Math.max(next, budgetedAt(counted, now)),
        ...(granted === undefined ? {} : { granted: { ...granted, resumeAt: now } }),
      },
    },
    news: [{ kind: "failed", code, message }],
  };
}

/** An order came to a certificate. */
export function issued(
  domain: Domain,
  {
    certificate,
    authorizationUrls: urls,
    challenge = domain.issuance.challenge,
  }: OutcomeOf<"issued">,
  now: number,
): Settled {
  const granted = { authority: certificate.authority, urls, resumeAt: now };
  const fresh = { challenge, attempts: 0, failures: 0, failedAt: [], notBefore: now };
  const issuance = urls.length === 0 ? fresh : { ...fresh, granted };
  return {
    domain: { ...domain, certificate: { ...certificate, activeSince: now }, issuance },
    news: [{ kind: domain.certificate === undefined ? "issued" : "renewed" }],
  };
}
