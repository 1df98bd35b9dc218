import { system } from "../../lib/model/actor.ts";
import type { Eventual } from "../../lib/base/eventual.ts";
import { manualClock, type ManualClock } from "../clock.ts";
import { contractCase, type ContractCase } from "../contract-case.ts";
import { expect } from "../contract-case.ts";
import { REMOVED_KEPT_MS, UNVERIFIED_KEPT_MS, type Domain } from "../../domains/model/domain.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import {
  added,
  adding,
  refusalOf,
  saved,
  saving,
  someCertificate,
  someDomain,
  START,
  type DomainStoreCase,
  type DomainStoreUnderTest,
} from "./rows.ts";
import { addingCases } from "./adding-cases.ts";
import { issuanceCases } from "./issuance-cases.ts";
import { newsCases } from "./news-cases.ts";
import { overdueCases } from "./overdue-cases.ts";

/** Contract of domain stores. Each case runs with its own store, which uses the clock passed to `open`. */
export function domainStoreContract(
  open: (clock: ManualClock) => Eventual<DomainStoreUnderTest>,
): readonly ContractCase[] {
  const promise: DomainStoreCase = (name, body) => ({
    name,
    run: () => {
      const clock = manualClock(START);
      const whole = contractCase(
        name,
        () => open(clock),
        ({ domains, leases, store }) => body({ domains, leases, store, clock }),
      );
      return whole.run();
    },
  });

  return [
    promise(
      "looks are counted by name: those of the last hour, or the last fifty, without removed and moved ones",
      async ({ domains }) => {
        const counts = async (now: number) => domains.domains.lookCounts(now);
        expect(await counts(START)).toEqual({ looks: 0, bad: 0, lasting: 0 });
        const now = START + DAY_MS;
        const live = { heldSince: START, liveSince: START, certificate: someCertificate };
        const drift = { since: now - 1, lookedAt: now, looks: 1, seenMs: 0 };
        const look = async (number: number, to: Partial<Domain>): Promise<Domain> =>
          saved(domains, await added(domains, someDomain(number)), { ...live, ...to });
        // Sixty looks, a minute apart, of which the last ten are bad.
        for (let number = 1; number <= 60; number++) {
          const at = now - (60 - number) * MINUTE_MS;
          await look(number, { look: { at }, ...(number > 50 && { drift }) });
        }
        const fifty = { looks: 50, bad: 10, lasting: 0 };
        expect(await counts(now - 30 * MINUTE_MS)).toEqual({ ...fifty, looks: 60 });
        expect(await counts(now + 30 * MINUTE_MS)).toEqual(fifty);
        expect(await counts(now + DAY_MS)).toEqual(fifty);
        expect(await counts(now + 7 * DAY_MS - 1)).toEqual(fifty);
        expect(await counts(now + 7 * DAY_MS)).toEqual({ ...fifty, lasting: 10 });
        const moved = { ...drift, stage: { kind: "moved", at: now } } as const;
        await look(61, { look: { at: now }, drift: moved });
        const gone = await look(62, { look: { at: now } });
        await saved(domains, gone, { removal: { at: now, reason: "removed" } });
        expect(await counts(now)).toEqual({ ...fifty, looks: 60 });
      },
    ),

    promise("a domain is stored unchanged and holds no name at first", async ({ domains }) => {
      expect(await domains.domains.byId("dom_000000000001")).toBeUndefined();
      const domain = await added(domains, someDomain(1, { unicode: "тест.test" }));
      expect(await domains.domains.byId(domain.id)).toEqual(domain);
      expect(await domains.domains.holderOf(domain.name)).toBeUndefined();
    }),

    promise("a change based on an older version is refused", async ({ domains }) => {
      const domain = await added(domains, someDomain(1));
      const after = await saved(domains, domain, { hstsSeconds: 60 });
      expect(after).toMatchObject({ hstsSeconds: 60, version: 2 });
      expect(await refusalOf(domains, saving(domain, { hstsSeconds: 0 }))).toBe("stale");
    }),

    promise("a refused commit changes nothing", async ({ domains, store }) => {
      const domain = await added(domains, someDomain(1));
      const before = await store.feed.last();
      const refused = await domains.commit(
        [
          saving(domain, { hstsSeconds: 60 }, { report: "{}" }),
          adding(someDomain(2), { maxOfProject: 0 }),
        ],
        system,
      );
      expect(refused).toEqual({ ok: false, failure: "limit" });
      expect((await domains.domains.byId(domain.id))?.version).toBe(1);
      expect(await domains.reports.of(domain.id)).toBeUndefined();
      expect(await store.feed.last()).toBe(before);
    }),

    promise("due domains are returned in order of their due times", async ({ domains }) => {
      for (const [number, dueAt] of [
        [1, 300],
        [2, 100],
        [3, 200],
        [4, 400],
      ] as const) {
        // A new domain is due for its first check.
        await added(domains, someDomain(number, {}, START + dueAt));
      }
      const idle = await added(domains, someDomain(5));
      await saved(domains, idle, { removal: { at: START, reason: "removed" } });
      expect((await domains.domains.due(START + 300, 10)).map((id) => id.slice(-1))).toEqual([
        "2",
        "3",
        "1",
      ]);
      expect(await domains.domains.due(START + 300, 1)).toHaveLength(1);
      expect(await domains.domains.nextDueAt()).toBe(START + 100);
    }),

    promise("domains are due for an ending only if it may happen", async ({ domains }) => {
      const removed = await added(domains, someDomain(1));
      await saved(domains, removed, { removal: { at: START, reason: "removed" } });
      const unverified = await added(domains, someDomain(2));
      const checkedAt = START + 2 * UNVERIFIED_KEPT_MS;
      const { gates, dns } = unverified;
      await saved(domains, unverified, {
        dns: { ...dns, checkedAt },
        gates: { ...gates, seenAt: checkedAt },
      });
      const later = START + REMOVED_KEPT_MS;
      expect(await domains.domains.due(later, 10)).toEqual([unverified.id, removed.id]);
      expect(await domains.domains.nextDueAt()).toBe(START + UNVERIFIED_KEPT_MS);
      expect(await domains.domains.due(checkedAt, 10, false)).toEqual([]);
      expect(await domains.domains.due(later, 10, false)).toEqual([unverified.id]);
      expect(await domains.domains.nextDueAt(false)).toBeGreaterThan(checkedAt);
    }),

    promise("served domains are those with name and certificate", async ({ domains }) => {
      const certificate = {
        id: "crt_1",
        authority: "test",
        notBefore: START,
        notAfter: START + 1_000,
        renewAt: START + 500,
        activeSince: START,
      };
      for (const [number, facts] of [
        [1, { heldSince: START, certificate }],
        [2, { heldSince: START }],
        [3, { certificate }],
        [4, { heldSince: START, certificate }],
      ] as const) {
        await saved(domains, await added(domains, someDomain(number)), facts);
      }
      const [first, ...others] = await domains.domains.served(0, 1);
      expect(others).toEqual([]);
      expect(first?.domain.name).toBe("pets1.test");
      const rest = await domains.domains.served(first?.seq ?? 0, 10);
      expect(rest.map(({ domain }) => domain.name)).toEqual(["pets4.test"]);
    }),

    promise(
      "domains of a project or an account are returned in order of addition",
      async ({ domains }) => {
        for (const number of [3, 1, 2]) {
          await added(domains, someDomain(number, { projectId: "prj_x", accountId: "acc_x" }));
        }
        const names = (found: readonly Domain[]): readonly string[] =>
          found.map(({ name }) => name);
        const order = ["pets3.test", "pets1.test", "pets2.test"];
        expect(names(await domains.domains.ofProject("prj_x"))).toEqual(order);
        expect(names(await domains.domains.ofAccount("acc_x", { limit: 2 }))).toEqual(
          order.slice(0, 2),
        );
        const after = "dom_000000000001";
        expect(names(await domains.domains.ofAccount("acc_x", { after, limit: 9 }))).toEqual([
          "pets2.test",
        ]);
      },
    ),

    promise("domains of all accounts are returned in order of addition", async ({ domains }) => {
      const [first] = [await added(domains, someDomain(3)), await added(domains, someDomain(1))];
      const removed = await added(domains, someDomain(2));
      await saved(domains, removed, { removal: { at: START, reason: "removed" } });
      const names = (found: readonly Domain[]): readonly string[] => found.map(({ name }) => name);
      expect(names(await domains.domains.all({ limit: 9 }))).toEqual(["pets3.test", "pets1.test"]);
      expect(names(await domains.domains.all({ limit: 1 }))).toEqual(["pets3.test"]);
      expect(names(await domains.domains.all({ after: first.id, limit: 9 }))).toEqual([
        "pets1.test",
      ]);
    }),

    ...addingCases(promise),
    ...newsCases(promise),
    ...issuanceCases(promise),
    ...overdueCases(promise),
    promise("a commit under a lease that was given to another worker is refused", async (world) => {
      const { domains, leases, clock } = world;
      const domain = await added(domains, someDomain(1));
      const lease = await leases.acquire("a", 1_000);
      if (lease === undefined) throw new Error("the lease was not acquired");
      const under = { lease, ttlMs: 1_000, now: START };
      expect(await refusalOf(domains, saving(domain, { hstsSeconds: 1 }), under)).toBeUndefined();
      clock.advance(1_000);
      // Expired, but not given to another worker.
      const again = { ...domain, version: 2 };
      expect(await refusalOf(domains, saving(again, { hstsSeconds: 2 }), under)).toBeUndefined();
      clock.advance(1_000);
      await leases.acquire("a", 1_000);
      const late = { ...domain, version: 3 };
      expect(await refusalOf(domains, saving(late, { hstsSeconds: 3 }), under)).toBe("fenced");
    }),

    promise("a commit under a lease extends it", async ({ domains, leases, clock }) => {
      const domain = await added(domains, someDomain(1));
      const lease = await leases.acquire("a", 1_000);
      if (lease === undefined) throw new Error("the lease was not acquired");
      await refusalOf(domains, saving(domain, {}), { lease, ttlMs: 5_000, now: START });
      clock.advance(4_999);
      expect(await leases.acquire("a", 1_000)).toBeUndefined();
      clock.advance(1);
      expect(await leases.acquire("a", 1_000)).toBeDefined();
    }),

    promise("expired rows are purged up to the limit", async ({ domains, leases }) => {
      for (const name of ["a", "b", "c"]) {
        await leases.acquire(name, 1_000);
        const challenge = {
          name,
          kind: "http-01",
          token: "t",
          keyAuthorization: "k",
          expiresAt: START + 1_000,
        } as const;
        await domains.commit([{ kind: "challenge.open", challenge }], system);
      }
      await domains.commit([{ kind: "purge", now: START + 2_000, limit: 2 }], system);
      const left = await Promise.all(
        ["a", "b", "c"].map(async (name) => domains.challenges.http01(name, "t", START)),
      );
      expect(left.filter((challenge) => challenge !== undefined)).toHaveLength(1);
    }),
  ];
}
