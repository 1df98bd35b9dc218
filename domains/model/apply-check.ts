import { CLAIM_WAIT_MS, type DnsFacts, type Domain } from "./domain.ts";
import type { OutcomeOf, AppliedOutcome } from "./domain-outcome.ts";
import { withCheckScheduled } from "./outside.ts";
import { STALLED_MS } from "./schedule.ts";
import type { News } from "./timeline.ts";
import { withoutUndefined } from "../../lib/base/without-undefined.ts";

/** Applies a DNS check, including who holds the name. */
export function applyCheck(
  domain: Domain,
  { state, codes, eta, forbidden, leadsHere, name, addresses, ...look }: OutcomeOf<"checked">,
  now: number,
): AppliedOutcome {
  const { beganAt = now, mayEnd = true } = look;
  const passed = state === "verified";
  const { passedAt } = passed ? { passedAt: now } : domain.dns;
  const dns: DnsFacts = {
    state,
    checkedAt: beganAt,
    codes,
    ...withoutUndefined({ passedAt, eta, forbidden }),
  };
  // A name that fails verification is checked as often as a new one.
  const watch = domain.dns.state === "verified" && !passed ? { since: beganAt } : domain.watch;
  // An unsuccessful check does not tell where the name pointed when it was added.
  const { ledHere = state === "unknown" ? undefined : leadsHere } = domain;
  const { outside: before, ...rest } = domain;
  const looked: Domain = {
    ...rest,
    dns,
    watch,
    ...withoutUndefined({
      outside: addresses && withCheckScheduled(before, addresses, now),
      ledHere,
    }),
  };
  if (domain.heldSince !== undefined) return stillHeld(domain, looked, now);
  if (!passed) {
    // A proof that is missing on some servers or could not be queried may still exist.
    const after = state === "blocked" ? withoutClaim(looked) : looked;
    return { domain: after, news: blockNews(domain, looked) };
  }
  if (name !== "held") return taken(looked, now);
  if (domain.claim === undefined) {
    const claim = { since: now, until: now + CLAIM_WAIT_MS };
    return { domain: { ...looked, claim }, news: [{ kind: "contested", code: "taken" }] };
  }
  return mayEnd && now >= domain.claim.until ? taken(looked, now) : { domain: looked, news: [] };
}

function taken(domain: Domain, now: number): AppliedOutcome {
  const { lostAt: _lost, ...own } = withoutClaim(domain);
  return { domain: { ...own, heldSince: now }, news: [{ kind: "verified" }] };
}

function stillHeld(before: Domain, after: Domain, now: number): AppliedOutcome {
  const news = blockNews(before, after);
  const { heldSince = now, certificate, issuance } = after;
  const stalled =
    certificate === undefined && issuance.stalledAt === undefined && now >= heldSince + STALLED_MS;
  if (!stalled) return { domain: after, news };
  return {
    domain: { ...after, issuance: { ...issuance, stalledAt: now } },
    news: [...news, { kind: "stalled", code: "stalled_30m" }],
  };
}

/** Reports blocking findings only when they change. */
function blockNews(before: Domain, after: Domain): readonly News[] {
  const { state, codes } = after.dns;
  const same = before.dns.state === state && before.dns.codes.join() === codes.join();
  if (state !== "blocked" || same) return [];
  const [code] = codes;
  const kind = before.heldSince === undefined ? "blocked" : "failed";
  return [code === undefined ? { kind } : { kind, code }];
}

export function withoutClaim({ claim: _claim, ...domain }: Domain): Domain {
  return domain;
}
