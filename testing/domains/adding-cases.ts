import { system } from "../../lib/model/actor.ts";
import type { ContractCase } from "../contract-case.ts";
import { expect } from "../contract-case.ts";
import { CLAIM_WAIT_MS } from "../../domains/model/domain.ts";
import { DAY_MS } from "../../lib/base/clock.ts";
import {
  added,
  adding,
  refusalOf,
  saved,
  saving,
  someDomain,
  START,
  type DomainStoreCase,
  someCertificate,
} from "./rows.ts";

/** The part of the contract about adding, removing and restoring domains: names, limits, roles and targets. */
export function addingCases(promise: DomainStoreCase): readonly ContractCase[] {
  return [
    promise(
      "releasing a domain deletes its certificate and frees its name; every other removal keeps it",
      async ({ domains }) => {
        for (const reason of ["removed", "released"] as const) {
          const number = reason === "removed" ? 1 : 2;
          const domain = await added(domains, someDomain(number));
          const id = `crt_${number}`;
          const held = await saved(domains, domain, {
            heldSince: START,
            certificate: { ...someCertificate, id },
          });
          const row = { domainId: domain.id, chainPem: "pem", sealedKey: "sealed" };
          const certificate = { ...row, id, notAfter: START + DAY_MS, createdAt: START };
          expect(
            await refusalOf(domains, { kind: "certificate.add", certificate }),
          ).toBeUndefined();
          const { heldSince: _held, ...rest } = held;
          const to = { ...rest, removal: { at: START, reason } };
          const change = { kind: "domain.save", from: held, to, news: [], at: START } as const;
          expect(await refusalOf(domains, change)).toBeUndefined();
          const kept = await domains.certificates.byId(id);
          expect([reason, kept === undefined]).toEqual([reason, reason === "released"]);
          expect(await domains.domains.holderOf(domain.name)).toBeUndefined();
        }
      },
    ),

    promise("an account adds a name once; other accounts may add it, too", async ({ domains }) => {
      const domain = await added(domains, someDomain(1));
      const { name } = domain;
      const again = someDomain(2, { name, accountId: domain.accountId });
      expect(await refusalOf(domains, adding(again))).toBe("exists");
      const other = await added(domains, someDomain(3, { name }));
      expect((await domains.domains.named(name, 10)).map(({ id }) => id)).toEqual([
        other.id,
        domain.id,
      ]);
    }),

    promise(
      "a name has one holder, until another takes over in the same commit",
      async ({ domains }) => {
        const here = await added(domains, someDomain(1));
        const there = await added(domains, someDomain(2, { name: here.name }));
        const held = await saved(domains, here, { heldSince: START });
        expect(await refusalOf(domains, saving(there, { heldSince: START }))).toBe("taken");
        const { heldSince: _held, ...lost } = held;
        const swap = await domains.commit(
          [
            { ...saving(held, {}), to: { ...lost, lostAt: START } },
            saving(there, { heldSince: START + CLAIM_WAIT_MS }),
          ],
          system,
        );
        expect(swap.ok).toBe(true);
        expect((await domains.domains.holderOf(here.name))?.id).toBe(there.id);
      },
    ),

    promise("a project's domains are limited, without removed ones", async ({ domains }) => {
      const domain = await added(domains, someDomain(1));
      const next = someDomain(2, { projectId: domain.projectId });
      expect(await refusalOf(domains, adding(next, { maxOfProject: 1 }))).toBe("limit");
      await saved(domains, domain, { removal: { at: START, reason: "removed" } });
      expect(await refusalOf(domains, adding(next, { maxOfProject: 1 }))).toBeUndefined();
    }),

    promise("an account's unverified domains are limited, without holders", async ({ domains }) => {
      const domain = await added(domains, someDomain(1));
      const next = someDomain(2, { accountId: domain.accountId });
      expect(await refusalOf(domains, adding(next, { maxUnverified: 1 }))).toBe("limit");
      await saved(domains, domain, { heldSince: START });
      expect(await refusalOf(domains, adding(next, { maxUnverified: 1 }))).toBeUndefined();
    }),

    promise(
      "of domains added to a project at once, one is primary, and the others redirect to it",
      async ({ domains }) => {
        const shared = { projectId: "prj_x", accountId: "acc_x" };
        const all = Array.from({ length: 20 }, (_, number) => someDomain(number, shared));
        const refusals = await Promise.all(
          all.map((domain) => refusalOf(domains, { ...adding(domain), roleByOthers: true })),
        );
        expect(refusals.filter((refusal) => refusal !== undefined)).toEqual([]);
        const [first, ...rest] = await domains.domains.ofProject(shared.projectId);
        expect(first?.role).toEqual({ kind: "primary" });
        expect(rest.map(({ role }) => role)).toEqual(
          rest.map(() => ({ kind: "redirect", to: first?.name ?? "", status: 308 })),
        );
        expect(rest).toHaveLength(19);
      },
    ),

    promise(
      "a restored domain gets the role that its project's other domains leave",
      async ({ domains }) => {
        const shared = { projectId: "prj_x", accountId: "acc_x" };
        const domain = await added(domains, someDomain(1, shared));
        const gone = await saved(domains, domain, { removal: { at: START, reason: "removed" } });
        await added(domains, someDomain(2, shared));
        const { kind: _add, domain: _domain, ...limits } = adding(domain);
        const restore = { ...limits, kind: "domain.restore", from: gone, to: domain } as const;
        expect(await refusalOf(domains, { ...restore, roleByOthers: true })).toBeUndefined();
        const role = { kind: "redirect", to: "pets2.test", status: 308 } as const;
        expect(await domains.domains.byId(domain.id)).toEqual({ ...domain, role, version: 3 });
      },
    ),

    promise(
      "an account's removed domains are limited until they are forgotten",
      async ({ domains }) => {
        const domain = await added(domains, someDomain(1));
        const next = someDomain(2, { accountId: domain.accountId });
        const removed = { removal: { at: START, reason: "removed" } } as const;
        await saved(domains, domain, removed);
        expect(await refusalOf(domains, adding(next, { maxRemoved: 1 }))).toBe("limit");
        expect(await refusalOf(domains, adding(someDomain(3), { maxRemoved: 1 }))).toBeUndefined();
        await domains.commit(
          [{ kind: "domain.forget", domain: (await domains.domains.byId(domain.id)) ?? domain }],
          system,
        );
        expect(await refusalOf(domains, adding(next, { maxRemoved: 1 }))).toBeUndefined();
      },
    ),

    promise(
      "a target outlives its domain and is never assigned to another project",
      async ({ domains }) => {
        const domain = await added(domains, someDomain(1));
        const gone = await saved(domains, domain, { removal: { at: START, reason: "removed" } });
        expect(await refusalOf(domains, { kind: "domain.forget", domain: gone })).toBeUndefined();
        expect(await domains.domains.byId(domain.id)).toBeUndefined();
        const { targetLabel, name, projectId, accountId } = domain;
        expect(await domains.targets.of(projectId, name)).toBe(targetLabel);
        expect(await domains.targets.owner(targetLabel)).toEqual({ projectId, name });
        expect(await domains.targets.attachedElsewhere(name, accountId)).toBe(false);
        expect(await domains.targets.attachedElsewhere(name, "acc_9")).toBe(true);
        const same = someDomain(2, { name, projectId, accountId });
        expect(await refusalOf(domains, adding(same))).toBe("stale");
        expect(await refusalOf(domains, adding({ ...same, targetLabel }))).toBeUndefined();
      },
    ),

    promise("a domain that is not removed cannot be forgotten", async ({ domains }) => {
      const domain = await added(domains, someDomain(1));
      expect(await refusalOf(domains, { kind: "domain.forget", domain })).toBe("stale");
    }),

    promise("a removed domain can be restored", async ({ domains }) => {
      const domain = await added(domains, someDomain(1));
      const gone = await saved(domains, domain, { removal: { at: START, reason: "removed" } });
      const { kind: _add, domain: _domain, ...limits } = adding(domain);
      const restore = { ...limits, kind: "domain.restore", from: gone, to: domain } as const;
      expect(await refusalOf(domains, restore)).toBeUndefined();
      expect(await domains.domains.byId(domain.id)).toEqual({ ...domain, version: 3 });
      expect(await refusalOf(domains, restore)).toBe("exists");
    }),
  ];
}
