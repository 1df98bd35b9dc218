import { expect, test } from "bun:test";

import { GRACE_MS, type Domain } from "../../../domains/model/domain.ts";
import { applyOutcome } from "../../../domains/model/apply-outcome.ts";
import { statusOf, type DomainStatus } from "../../../domains/model/domain-state.ts";
import { domainEvent, eventTypeOf, timelineKinds } from "../../../domains/model/timeline.ts";
import { failureBy } from "../../../domains/model/order-failure.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { someDomain, START } from "../../helpers/domains/rows.ts";

const added = someDomain(1);
const blocked = applyOutcome(
  added,
  { kind: "checked", state: "blocked", codes: ["no_record"], leadsHere: false, name: "free" },
  START,
).domain;
const verified = applyOutcome(
  added,
  { kind: "checked", state: "verified", codes: [], leadsHere: true, name: "free" },
  START,
).domain;
const ordering = applyOutcome(verified, { kind: "order_begun", resumeAt: START }, START).domain;
const refused = applyOutcome(
  ordering,
  failureBy({ code: "caa", message: "no", names: [] }),
  START,
).domain;
const issued = applyOutcome(
  ordering,
  {
    kind: "issued",
    certificate: {
      id: "crt_1",
      authority: "test",
      notBefore: START,
      notAfter: START + 90 * DAY_MS,
      renewAt: START + 60 * DAY_MS,
    },
    authorizationUrls: [],
  },
  START,
).domain;
const live = applyOutcome(issued, { kind: "probed", answered: true }, START).domain;
const lapsed = applyOutcome(
  live,
  { kind: "gates", plan: false, deploy: true, project: true },
  START,
).domain;

for (const [what, domain, after, status] of [
  ["just added", added, 0, "checking"],
  ["without a record", blocked, 0, "awaiting_dns"],
  ["with a requested check", { ...blocked, watch: { since: START + 1 } }, 1, "checking"],
  [
    "without a record after two days",
    { ...blocked, dns: { ...blocked.dns, checkedAt: START + 48 * HOUR_MS } },
    0,
    "attention",
  ],
  ["without a plan", { ...added, gates: { ...added.gates, plan: false } }, 0, "attention"],
  ["without a deploy", { ...added, gates: { ...added.gates, deploy: false } }, 0, "attention"],
  ["claimed", { ...blocked, claim: { since: START, until: START + 1 } }, 0, "attention"],
  ["lost", { ...blocked, lostAt: START }, 0, "attention"],
  ["verified", verified, 0, "verified"],
  ["with an open order", ordering, 0, "issuing"],
  ["refused by the CA", refused, 0, "attention"],
  [
    "without a certificate for half an hour",
    { ...ordering, issuance: { ...ordering.issuance, stalledAt: START } },
    30 * MINUTE_MS,
    "attention",
  ],
  ["issued, but not probed yet", issued, 0, "issuing"],
  ["live", live, 0, "live"],
  ["live without a DNS answer", { ...live, dns: { ...live.dns, state: "unknown" } }, 0, "live"],
  [
    "live with a missing record",
    { ...live, dns: { ...live.dns, state: "blocked" } },
    0,
    "attention",
  ],
  ["live with an expired certificate", live, 90 * DAY_MS, "attention"],
  ["live until a quarter of the time to renew has passed", live, 67.5 * DAY_MS - 1, "live"],
  ["overdue", live, 67.5 * DAY_MS, "attention"],
  ["in the grace period of its plan", lapsed, GRACE_MS - 1, "attention"],
  ["after the grace period of its plan", lapsed, GRACE_MS, "attention"],
  ["removed", { ...live, removal: { at: START, reason: "removed" } }, 0, "removed"],
] as readonly (readonly [string, Domain, number, DomainStatus])[]) {
  test(`a domain that is ${what} is ${status}`, () => {
    expect(statusOf(domain, START + after)).toBe(status);
  });
}

test("a CA's refusal has the code of its finding", () => {
  const named = (
    ["caa", "connection", "name_refused", "paused", "rate_limited", "unavailable", "dns"] as const
  )
    .map((code) => failureBy({ code, message: "", names: [] }))
    .map(({ code, failure }) => [code, failure]);
  expect(named).toEqual([
    ["caa_forbids", "validation"],
    ["validation_failed", "validation"],
    ["ca_rejected_name", "refused"],
    ["ca_paused", "refused"],
    ["ca_rate_limited", "rate_limited"],
    ["ca_unavailable", "outage"],
    ["validation_failed", "validation"],
  ]);
});

test("events cover what others can act upon, without proofs of ownership", () => {
  const silent = timelineKinds.filter((kind) => eventTypeOf(kind) === undefined);
  expect(silent).toEqual(["blocked", "issued", "lapsed", "resumed", "changed", "refused"]);
  const json = JSON.stringify(domainEvent(added, { kind: "failed", code: "x", message: "y" }));
  expect(json).not.toContain(added.ownershipToken);
  expect(json).not.toContain(added.targetLabel);
});
