import { DAY_MS, isoTime } from "../../lib/base/clock.ts";
import { system } from "../../lib/model/actor.ts";
import type { Domain } from "../../domains/model/domain.ts";
import type { DomainStore } from "../../domains/ports/domain-store.ts";
import { expect, type ContractCase } from "../contract-case.ts";
import {
  adding,
  refusalOf,
  saving,
  someAccount,
  someDomain,
  START,
  type DomainStoreCase,
} from "./rows.ts";

/** A certificate that is overdue from `START` on, and expires after `days` more. */
function overdueFor(days: number): NonNullable<Domain["certificate"]> {
  return {
    id: `crt_${days}`,
    authority: "https://ca.test",
    notBefore: START - 90 * DAY_MS,
    notAfter: START + days * DAY_MS,
    renewAt: START - (days * DAY_MS) / 3,
    activeSince: START - 90 * DAY_MS,
  };
}

async function hold(domains: DomainStore, domain: Domain, facts: Partial<Domain>): Promise<Domain> {
  expect(await refusalOf(domains, adding(domain))).toBeUndefined();
  const change = saving(domain, { heldSince: START - 90 * DAY_MS, ...facts });
  expect(await refusalOf(domains, change)).toBeUndefined();
  const held = await domains.domains.byId(domain.id);
  if (held === undefined) throw new Error("the domain was not found");
  return held;
}

/** Cases about overdue certificates. */
export function overdueCases(promise: DomainStoreCase): readonly ContractCase[] {
  return [
    promise(
      "overdue certificates are counted from a quarter of the time on",
      async ({ domains }) => {
        expect(await domains.domains.overdue(START)).toEqual({ overdue: 0, expired: 0 });
        const first = await hold(domains, someDomain(1), { certificate: overdueFor(3) });
        await hold(domains, someDomain(2), { certificate: overdueFor(6) });
        const own = someDomain(3, { projectId: "own:pets.test", accountId: "own" });
        const dns = { state: "blocked", codes: ["no_record"] } as const;
        await hold(domains, own, { certificate: overdueFor(9), dns });
        // The owner has to act, or nothing is ordered.
        await hold(domains, someDomain(4), { certificate: overdueFor(1), dns });
        const gates = { plan: false, deploy: true, project: true, seenAt: START };
        await hold(domains, someDomain(5), { certificate: overdueFor(1), gates });
        expect(await domains.domains.overdue(START - 1)).toEqual({ overdue: 0, expired: 0 });
        const counts = { overdue: 3, expired: 0, firstExpiresAt: START + 3 * DAY_MS };
        expect(await domains.domains.overdue(START)).toEqual(counts);
        expect(await domains.domains.overdue(START + 6 * DAY_MS)).toEqual({
          ...counts,
          expired: 2,
        });
        const names = async (limit: number) => domains.domains.firstOverdue(START, limit);
        expect(await names(2)).toEqual(["pets1.test", "pets2.test"]);
        const certificate = { ...overdueFor(90), renewAt: START + 60 * DAY_MS };
        expect(await refusalOf(domains, saving(first, { certificate }))).toBeUndefined();
        expect(await names(9)).toEqual(["pets2.test", "pets3.test"]);
      },
    ),

    promise("no row that this version wrote has to be written again", async ({ domains }) => {
      const outdated = async (after?: string) => domains.domains.outdated({ after, limit: 2 });
      expect(await outdated()).toEqual({ ids: [], next: undefined });
      const ids = [];
      for (const number of [1, 2, 3]) {
        const domain = someDomain(number);
        ids.push(domain.id);
        if (number === 1) expect(await refusalOf(domains, adding(domain))).toBeUndefined();
        else await hold(domains, domain, { certificate: overdueFor(3), look: { at: START } });
      }
      expect(await outdated()).toEqual({ ids: [], next: ids[1] });
      expect(await outdated(ids[1])).toEqual({ ids: [], next: undefined });
    }),

    promise(
      "a stage is told once in a while, to each account and to the operator",
      async ({ domains }) => {
        const tell = async (at: number, stage: 1 | 2 | 3 | 4, accountId?: string) =>
          refusalOf(domains, { kind: "overdue.tell", accountId, stage, at, everyMs: DAY_MS });
        expect(await tell(START, 1)).toBeUndefined();
        expect(await tell(START, 1)).toBe("exists");
        expect(await tell(START, 2)).toBeUndefined();
        expect(await tell(START, 4)).toBeUndefined();
        expect(await tell(START, 1, "acc_1")).toBeUndefined();
        expect(await tell(START, 1, "acc_2")).toBeUndefined();
        expect(await tell(START + DAY_MS - 1, 1)).toBe("exists");
        expect(await tell(START + DAY_MS, 1)).toBeUndefined();
        // The clock was ahead by more than that.
        expect(await tell(START - 1, 1)).toBeUndefined();
        const told = await Promise.all([1, 2, 3, 4].map(() => tell(START, 3)));
        expect(told.filter((refusal) => refusal === undefined)).toHaveLength(1);
        await domains.commit([{ kind: "purge", now: START + 31 * DAY_MS, limit: 10 }], system);
        expect(await tell(START, 3)).toBeUndefined();
      },
    ),

    promise(
      "an account learns of its domains, the operators of the service's own hosts",
      async (world) => {
        const { domains, store } = world;
        await store.commit([someAccount(1)], system);
        const certificate = { ...overdueFor(30), warnedAt: START, warned: 1 } as const;
        const domain = await hold(domains, someDomain(1), { certificate });
        const own = someDomain(2, { projectId: "own:pets2.test", accountId: "own" });
        const host = await hold(domains, own, { certificate });
        const news = [
          { kind: "expiring", code: "ca_unavailable", message: "It is down." },
        ] as const;
        for (const from of [domain, host]) {
          expect(await refusalOf(domains, { ...saving(from, {}), news })).toBeUndefined();
        }
        const facts = {
          issuer: "https://ca.test",
          expiresAt: isoTime(START + 30 * DAY_MS),
          stage: 1,
          code: "ca_unavailable",
          message: "It is down.",
        };
        const events = await store.events.after(0, 100);
        expect(
          events
            .filter(({ type }) => type.endsWith(".expiring"))
            .map(({ type, accountId, data }) => ({ type, accountId, data })),
        ).toEqual([
          {
            type: "domain.expiring",
            accountId: "acc_1",
            data: { domainId: domain.id, domain: "pets1.test", projectId: "prj_1", ...facts },
          },
          { type: "host.expiring", accountId: "", data: { host: "pets2.test", ...facts } },
        ]);
      },
    ),
  ];
}
