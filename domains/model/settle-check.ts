import { CLAIM_WAIT_MS, type DnsFacts, type Domain } from "./domain.ts";
import type { OutcomeOf, Settled } from "./domain-outcome.ts";
import { wanted } from "./outside.ts";
import { STALLED_MS } from "./schedule.ts";
import type { News } from "./timeline.ts";

/** What a look at the DNS makes of a domain, and of whose the name is. */
export function checked(
  domain: Domain,
  { state, codes, eta, leadsHere, name, addresses, ...look }: OutcomeOf<"checked">,
  now: number,
): Settled {
  const { beganAt = now } = look;
  const passed = state === "verified";
  const { passedAt } = passed ? { passedAt: now } : domain.dns;
  const dns: DnsFacts = {
    state,
    checkedAt: beganAt,
    codes,
    ...(passedAt === undefined ? {} : { passedAt }),
    ...(eta === undefined ? {} : { eta }),
  };
  // A name that ceases to verify is looked at as often as a new one.
  const watch = domain.dns.state === "verified" && !passed ? { since: beganAt } : domain.watch;
  // A look that learned nothing does not tell where the name led when it was added.
  const { ledHere = state === "unknown" ? undefined : leadsHere } = domain;
  const { outside: before, ...rest } = domain;
  const looked: Domain = {
    ...rest,
    dns,
    watch,
    ...(addresses === undefined ? {} : { outside: wanted(before, addresses, now) }),
    ...(ledHere === undefined ? {} : { ledHere }),
  };
  if (domain.heldSince !== undefined) return stillHeld(domain, looked, now);
  if (!passed) {
    // A proof that is not seen everywhere, or could not be asked for, is not known to be gone.
    const after = state === "blocked" ? withoutClaim(looked) : looked;
    return { domain: after, news: blockNews(domain, looked) };
  }
  if (name !== "held") return taken(looked, now);
  if (domain.claim === undefined) {
    const claim = { since: now, until: now + CLAIM_WAIT_MS };
    return { domain: { ...looked, claim }, news: [{ kind: "contested", code: "taken" }] };
  }
  return now >= domain.claim.until ? taken(looked, now) : { domain: looked, news: [] };
}

function taken(domain: Domain, now: number): Settled {
  const { lostAt: _lost, ...own } = withoutClaim(domain);
  return { domain: { ...own, heldSince: now }, news: [{ kind: "verified" }] };
}

function stillHeld(before: Domain, after: Domain, now: number): Settled {
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

/** Told when what blocks it is another thing than before, not at every look. */
function blockNews(before: Domain, after: Domain): readonly News[] {
  const { state, codes } = after.dns;
  const same = before.dns.state === state && before.dns.codes.join() === codes.join();
  if (state !== "blocked" || same) return [];
  const [code] = codes;
  const kind = before.heldSince === undefined ? "blocked" : "failed";
  return [code === undefined ? { kind } : { kind, code }];
}

/** It is not claimed any more. */
export function withoutClaim({ claim: _claim, ...domain }: Domain): Domain {
  return domain;
}
