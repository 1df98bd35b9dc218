import { CLAIM_WAIT_MS, type DnsFacts, type Domain } from "./domain.ts";
import type { OutcomeOf, AppliedOutcome } from "./domain-outcome.ts";
import { applyLook, applyReturn } from "./apply-look.ts";
import { driftStage } from "./drift-facts.ts";
import { withCheckScheduled } from "./outside.ts";
import { STALLED_MS } from "./schedule.ts";
import type { News } from "./timeline.ts";
import { withoutUndefined } from "../../lib/base/without-undefined.ts";

/** Applies a DNS check, including who holds the name. */
export function applyCheck(
  domain: Domain,
  { state, codes, eta, forbidden, leadsHere, name, addresses, look, ...rest }: OutcomeOf<"checked">,
  now: number,
): AppliedOutcome {
  const { beganAt = now, mayEnd = true } = rest;
  const passed = state === "verified";
  const { passedAt } = passed ? { passedAt: now } : domain.dns;
  const dns: DnsFacts = {
    state,
    checkedAt: beganAt,
    codes,
    ...withoutUndefined({ passedAt, eta, forbidden }),
  };
  // A name that fails verification is checked as often as a new one, unless looks have found that it leads elsewhere.
  const failed = domain.dns.state === "verified" && !passed && look?.seen !== "away";
  const isBack = look?.seen === "here" && driftStage(domain) !== undefined && !passed;
  const watch = failed || isBack ? { since: beganAt } : domain.watch;
  // An unsuccessful check does not tell where the name pointed when it was added.
  const { ledHere = state === "unknown" ? undefined : leadsHere } = domain;
  const { outside: before, ...others } = domain;
  const looked: Domain = {
    ...others,
    dns,
    watch,
    ...withoutUndefined({
      outside: addresses && withCheckScheduled(before, addresses, now),
      ledHere,
    }),
  };
  if (domain.heldSince !== undefined) {
    if (look !== undefined) return applyLook(domain, { ...look, now }, looked);
    return stillHeld(domain, looked, now, passed);
  }
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

function stillHeld(before: Domain, checked: Domain, now: number, passed: boolean): AppliedOutcome {
  const { domain: after, news } = passed
    ? applyReturn(before, checked)
    : { domain: checked, news: blockNews(before, checked) };
  const { heldSince = now, certificate, issuance } = after;
  const stalled =
    certificate === undefined && issuance.stalledAt === undefined && now >= heldSince + STALLED_MS;
  if (!stalled) return { domain: after, news };
  return {
    domain: { ...after, issuance: { ...issuance, stalledAt: now } },
    news: [...news, { kind: "stalled", code: "stalled_30m" }],
  };
}

/** Reports blocking findings only when they change, and not for a name that drifts, as that is reported. */
function blockNews(before: Domain, after: Domain): readonly News[] {
  const { state, codes } = after.dns;
  if (driftStage(after) !== undefined) return [];
  const same = before.dns.state === state && before.dns.codes.join() === codes.join();
  if (state !== "blocked" || same) return [];
  const [code] = codes;
  const kind = before.heldSince === undefined ? "blocked" : "failed";
  return [code === undefined ? { kind } : { kind, code }];
}

export function withoutClaim({ claim: _claim, ...domain }: Domain): Domain {
  return domain;
}
