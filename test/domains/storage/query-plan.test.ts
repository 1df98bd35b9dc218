import { expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { newDomain } from "../../../domains/model/apply-outcome.ts";
import type { DomainChange } from "../../../domains/ports/domain-change.ts";
import { sqlDomainStore } from "../../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../../domains/storage/sql-leases.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { manualClock } from "../../helpers/clock.ts";
import { adding, saving, someDomain, someOrder, START } from "../../helpers/domains/rows.ts";
import { plannedDatabase, wasteful } from "../../helpers/planned.ts";

/** Creates a domain store that records the query plan of each statement. */
async function planned() {
  const { database, plans } = plannedDatabase();
  const clock = manualClock(START);
  const sql = sqliteSql({
    database,
    clock,
    defer: (callback) => setImmediate(callback),
  });
  const store = await sqlStore({ sql, clock });
  const domains = await sqlDomainStore({ sql, clock });
  return { store, domains, leases: sqlLeases({ sql, clock }), plans };
}

test("every read of domains uses an index", async () => {
  const { store, domains, plans } = await planned();
  plans();
  await domains.domains.byId("dom_1");
  await domains.domains.holderOf("pets1.test");
  await domains.domains.ofProject("prj_1");
  await domains.domains.ofAccount("acc_1", { limit: 10 });
  await domains.domains.ofAccount("acc_1", { after: "dom_1", limit: 10 });
  await domains.domains.due(START, 10);
  await domains.domains.nextDueAt();
  await domains.domains.due(START, 10, false);
  await domains.domains.nextDueAt(false);
  await domains.domains.served(0, 10);
  await domains.domains.overdue(START);
  await domains.domains.lookCounts(START);
  await domains.targets.of("prj_1", "pets1.test");
  await domains.targets.owner("label");
  await domains.targets.attachedElsewhere("pets1.test", "acc_1");
  await domains.reports.of("dom_1");
  await domains.orders.of("pets1.test");
  await domains.certificates.byId("crt_1");
  await domains.challenges.http01("pets1.test", "token", START);
  await domains.challenges.tlsAlpn01("pets1.test", START);
  await domains.challenges.tlsAlpn01Names(START, 10);
  await domains.accounts.of("https://ca.test");
  await domains.timeline.of("dom_1", 10);
  const walked = plans();
  expect(walked.length).toBeGreaterThanOrEqual(18);
  expect(wasteful(walked)).toEqual([]);
  const counting = walked.filter((plan) => plan.includes("COUNT(*) AS overdue"));
  expect(counting).toEqual([expect.stringContaining("COVERING INDEX domains_by_overdue")]);
  // Few domains share a name, and the names of overdue ones are read once a stage, so sorting them is allowed.
  await domains.domains.named("pets1.test", 10);
  await domains.domains.firstOverdue(START, 10);
  expect(plans().filter((plan) => plan.startsWith("SCAN"))).toEqual([]);
  await store.close();
});

test("every change of domains finds its rows by an index", async () => {
  const { store, domains, leases, plans } = await planned();
  const domain = newDomain({ ...someDomain(1) }, START);
  const order = someOrder(domain);
  const name = domain.name;
  const certificate = {
    id: "crt_1",
    domainId: domain.id,
    chainPem: "",
    sealedKey: "",
    notAfter: START,
    createdAt: START,
  };
  const account = { authority: "https://ca.test", sealedKey: "", createdAt: START };
  const removal = { at: START, reason: "removed" } as const;
  const changes: readonly DomainChange[] = [
    adding(domain),
    saving(domain, { heldSince: START }, { report: "{}" }),
    { kind: "order.open", order },
    { kind: "order.save", from: order, to: order },
    {
      kind: "challenge.open",
      challenge: { name, kind: "http-01", token: "t", keyAuthorization: "k", expiresAt: START },
    },
    { kind: "certificate.add", certificate },
    { kind: "order.close", order },
    { kind: "account.save", account },
    { kind: "account.forget", account },
    { kind: "purge", now: START, limit: 10 },
    {
      ...saving({ ...domain, version: 2, heldSince: START }, {}),
      to: { ...domain, removal },
      news: [{ kind: "removed" }],
    },
    { kind: "domain.forget", domain: { ...domain, version: 3 } },
  ];
  plans();
  const lease = await leases.acquire("a", 1_000);
  if (lease === undefined) throw new Error("the lease was not acquired");
  const written = await domains.commit(changes, system, { lease, ttlMs: 1_000, now: START });
  expect(written.ok).toBe(true);
  await leases.release(lease);
  const found = plans();
  expect(found.length).toBeGreaterThan(20);
  expect(wasteful(found)).toEqual([]);
  await store.close();
});
