import { expect } from "bun:test";

import { MINUTE_MS, SECOND_MS } from "../../lib/base/clock.ts";
import type { Eventual } from "../../lib/base/eventual.ts";
import { system } from "../../lib/model/actor.ts";
import type { Store } from "../../lib/storage/store.ts";
import type { WebhookStore } from "../../lib/webhooks/index.ts";
import { manualClock } from "./clock.ts";
import { fakeSender, messagesIn, openWebhooks, START } from "./webhooks.ts";

/** A database with its stores. */
export interface KilledStores {
  readonly store: Store;
  readonly webhookStore: WebhookStore;
  close?(): Eventual<void>;
}

/** Thrown where a process is killed: nothing of it runs afterwards. */
class Killed extends Error {}

/**
 * Kills a process before and after each of its writes, one after the other, and lets another process go on with the same
 * database. Each event must arrive at least once, always with the same id, and those of one subject in their order.
 */
export async function killedBetweenSteps(
  open: () => Eventual<KilledStores>,
  /** How many steps to go on each time. */
  stride = 1,
): Promise<number> {
  let steps = 0;
  for (let finished = false; !finished; steps += stride) {
    const opened = await open();
    const clock = manualClock(START);
    const sender = fakeSender();
    let left = steps;
    const die = (): void => {
      if (left-- === 0) throw new Killed("killed");
    };
    const killed: WebhookStore = {
      ...opened.webhookStore,
      commit: async (changes, actor) => {
        if (left < 0) throw new Killed("killed");
        die();
        const committed = await opened.webhookStore.commit(changes, actor);
        die();
        return committed;
      },
    };
    const shared = { clock, store: opened.store, sender };
    const setting = await openWebhooks({ ...shared, webhookStore: opened.webhookStore });
    await setting.addAccount("acc_one");
    await setting.add("one", { accountId: "acc_one", types: ["project.updated"] });
    for (const subject of ["a", "a", "b"]) await setting.happen(subject);
    const first = await openWebhooks({ ...shared, webhookStore: killed });
    for (let round = 0; round < 4; round++) await first.run();
    finished = left >= 0;
    const second = await openWebhooks({ ...shared, webhookStore: opened.webhookStore });
    for (let round = 0; round < 6; round++) await second.run(2 * MINUTE_MS);

    const messages = messagesIn(sender.sent);
    const byId = new Map(messages.map(({ id, data }) => [id, data["number"]]));
    expect([steps, [...byId.values()].map(String).toSorted()]).toEqual([steps, ["1", "2", "3"]]);
    const ofA = messages.map(({ data }) => Number(data["number"])).filter((one) => one !== 3);
    expect([steps, ofA]).toEqual([steps, ofA.toSorted((a, b) => a - b)]);
    expect(await opened.webhookStore.waiting("wh_one", 10)).toBe(0);
    await opened.close?.();
  }
  return steps;
}

/**
 * Lets two processes over one database deliver events while both of them write some. Each event must arrive once, and those
 * of a subject in their order.
 */
export async function deliveredByTwo(first: KilledStores, second: KilledStores): Promise<void> {
  const clock = manualClock(START);
  const sender = fakeSender();
  const one = await openWebhooks({ ...first, clock, sender });
  const other = await openWebhooks({ ...second, clock, sender });
  await one.addAccount("acc_one");
  await one.add("one", { accountId: "acc_one", types: ["project.updated"] });
  const subjects = ["a", "b", "c", "d", "e"];
  const written = new Map<string, number[]>(subjects.map((subject) => [subject, []]));
  let count = 0;
  for (let round = 0; round < 30; round++) {
    clock.advance(SECOND_MS);
    const writes = round < 10 ? subjects : [];
    await Promise.all([
      one.webhooks.jobs.tick(),
      other.webhooks.jobs.tick(),
      ...writes.map(async (subject) => {
        written.get(subject)?.push(++count);
        const data = { projectId: subject, number: count };
        const { store } = count % 2 === 0 ? first : second;
        const event = {
          kind: "event.write",
          type: "project.updated",
          accountId: "acc_one",
        } as const;
        await store.commit([{ ...event, at: clock.now(), data }], system);
      }),
    ]);
  }
  const sent = messagesIn(sender.sent);
  const numbersOf = (subject: string): readonly unknown[] =>
    sent.filter(({ data }) => data["projectId"] === subject).map(({ data }) => data["number"]);
  for (const [subject, numbers] of written) expect(numbersOf(subject)).toEqual(numbers);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(count);
}
