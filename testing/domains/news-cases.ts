import { system } from "../../lib/model/actor.ts";
import type { ContractCase } from "../contract-case.ts";
import { expect } from "../contract-case.ts";
import { MAX_TIMELINE } from "../../domains/model/timeline.ts";
import {
  added,
  saved,
  someAccount,
  someDomain,
  START,
  type DomainStoreCase,
  saving,
} from "./rows.ts";

/** The part of the contract about what others get to know: events, timelines and the feed. */
export function newsCases(promise: DomainStoreCase): readonly ContractCase[] {
  return [
    promise(
      "news appear in the outbox and in the timeline, newest first",
      async ({ domains, store }) => {
        await store.commit([someAccount(1)], system);
        const domain = await added(domains, someDomain(1));
        const news = [{ kind: "failed", code: "caa_forbids", message: "no" }] as const;
        await domains.commit([{ ...saving(domain, {}), news }], system);
        expect(await domains.timeline.of(domain.id, 10)).toEqual([
          { at: START, ...news[0] },
          { at: START, kind: "added" },
        ]);
        const [, ...events] = await store.events.after(0, 10);
        expect(events.map(({ type, accountId, data }) => ({ type, accountId, data }))).toEqual([
          {
            type: "domain.added",
            accountId: "acc_1",
            data: { domainId: domain.id, domain: "pets1.test", projectId: "prj_1" },
          },
          {
            type: "domain.failed",
            accountId: "acc_1",
            data: {
              domainId: domain.id,
              domain: "pets1.test",
              projectId: "prj_1",
              code: "caa_forbids",
              message: "no",
            },
          },
        ]);
      },
    ),

    promise(
      "every event has the actor of its commit, unless its change names another one",
      async ({ domains, store }) => {
        for (const id of [1, 2]) await store.commit([someAccount(id)], system);
        const [own, rival] = [
          await added(domains, someDomain(1)),
          await added(domains, someDomain(2)),
        ];
        const before = await store.events.last();
        const actor = { kind: "member", id: "mem_one" } as const;
        await domains.commit(
          [
            { ...saving(rival, {}), news: [{ kind: "lost" }], actor: system },
            { ...saving(own, {}), news: [{ kind: "verified" }] },
          ],
          actor,
        );
        const events = await store.events.after(before, 10);
        expect(events.map((event) => [event.type, event.actor])).toEqual([
          ["domain.removed", system],
          ["domain.verified", actor],
        ]);
      },
    ),

    promise("events reveal neither target nor token", async ({ domains, store }) => {
      await store.commit([someAccount(1)], system);
      const domain = await added(domains, someDomain(1));
      const written = JSON.stringify(await store.events.after(0, 10));
      expect(written).toContain(domain.name);
      expect(written).toNotContain(domain.targetLabel);
      expect(written).toNotContain(domain.ownershipToken);
    }),

    promise("a timeline drops its oldest entries", async ({ domains }) => {
      let domain = await added(domains, someDomain(1));
      const news = Array.from(
        { length: MAX_TIMELINE / 2 },
        () => ({ kind: "failed", message: "x".repeat(5_000) }) as const,
      );
      for (let time = 0; time < 3; time++) {
        await domains.commit([{ ...saving(domain, {}), news }], system);
        domain = { ...domain, version: domain.version + 1 };
      }
      const entries = await domains.timeline.of(domain.id, 10 * MAX_TIMELINE);
      expect(entries).toHaveLength(MAX_TIMELINE);
      expect(entries[0]?.message).toHaveLength(1_000);
    }),

    promise("every change of a domain is on the feed", async ({ domains, store }) => {
      const domain = await added(domains, someDomain(1));
      const before = await store.feed.last();
      await saved(domains, domain, { hstsSeconds: 1 });
      expect(await store.feed.after(before, 10)).toMatchObject([
        { topic: "domain", subject: domain.id },
      ]);
    }),
  ];
}
