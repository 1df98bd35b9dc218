import { system } from "../../lib/model/actor.ts";
import type { Change, RecordedAnswer } from "../../lib/storage/change.ts";
import { equal } from "../contract-case.ts";
import { aKey, aPet, storeCases, type StoreCase, START, newPet } from "../shelter.ts";

const answered: RecordedAnswer = { status: 201, headers: { location: "/pets/1" }, body: "{}" };

const record = (catalogueId: number, at: number, answer = answered): Change => ({
  kind: "answer.record",
  id: { catalogueId, request: "POST /pets", key: "k" },
  fingerprint: "f",
  answer: () => answer,
  at,
  expiresAt: at + 10,
});

const purge = (more: Partial<Extract<Change, { kind: "purge" }>>): Change => ({
  kind: "purge",
  now: START,
  deletedBefore: 0,
  adoptersBefore: 0,
  eventsBefore: 0,
  limit: 100,
  ...more,
});

/** Recorded answers, counters, settings and purges. */
export const upkeepCases: readonly StoreCase[] = storeCases({
  "an answer is recorded with its effect and derived from it": async ({
    store,
    production,
    staging,
    commit,
  }) => {
    const id = { catalogueId: production, request: "POST /pets", key: "k" };
    await commit(
      {
        kind: "pet.create",
        catalogueId: production,
        pet: newPet(),
        at: START,
      },
      {
        kind: "answer.record",
        id,
        fingerprint: "f",
        answer: ([pet]) => ({ ...answered, body: `pet ${aPet(pet).id}` }),
        at: START,
        expiresAt: START + 10,
      },
    );
    equal(
      await store.answers.find(id),
      { ...answered, body: "pet 1", fingerprint: "f", expiresAt: START + 10 },
      "answer",
    );
    for (const other of [{ catalogueId: staging }, { request: "PATCH /pets/1" }, { key: "K" }]) {
      equal(await store.answers.find({ ...id, ...other }), undefined, JSON.stringify(other));
    }
  },

  "an answer is recorded only once until it expires": async ({
    store,
    production,
    commit,
    refusal,
  }) => {
    const id = { catalogueId: production, request: "POST /pets", key: "k" };
    await commit(record(production, START));
    equal(
      await refusal(record(production, START + 9)),
      { index: 0, refusal: "exists" },
      "too early",
    );
    await commit(record(production, START + 10, { ...answered, body: "second" }));
    equal((await store.answers.find(id))?.body, "second", "body");
  },

  "saved counters replace the previous ones, with the last use of keys": async ({
    store,
    account,
    production,
    commit,
  }) => {
    await commit({ kind: "key.create", key: aKey("key1", account, production), max: 9 });
    const revision = await store.catalogues.revision(production);
    const before = [await store.events.last(), await store.feed.last()];
    const save = (state: string): Change => ({
      kind: "counters.save",
      counters: [
        { name: "a", state, endsAt: START + 10 },
        { name: "b", state, endsAt: START + 5 },
      ],
      lastUsed: [
        { keyId: "key1", at: START + 3 },
        { keyId: "nobody", at: START + 3 },
      ],
    });
    await commit(save("1"));
    await commit(save("2"));
    equal(
      await store.counters.live(START + 5),
      [{ name: "a", state: "2", endsAt: START + 10 }],
      "live counters",
    );
    // Another process saves an earlier use later.
    await commit({ kind: "counters.save", counters: [], lastUsed: [{ keyId: "key1", at: START }] });
    equal((await store.keys.byId("key1"))?.lastUsedAt, START + 3, "lastUsedAt");
    equal(await store.catalogues.revision(production), revision, "revision");
    equal([await store.events.last(), await store.feed.last()], before, "no events");
  },

  "a setting keeps its first value": async ({ store, commit }) => {
    equal(await store.settings.get("pepper"), undefined, "before");
    await commit({ kind: "setting.init", name: "pepper", value: "first" });
    await commit({ kind: "setting.init", name: "pepper", value: "second" });
    equal(await store.settings.get("pepper"), "first", "after");
  },

  "a setting that is saved is replaced": async ({ store, commit }) => {
    await commit({ kind: "setting.save", name: "time", value: "first" });
    await commit({ kind: "setting.save", name: "time", value: "second" });
    equal(await store.settings.get("time"), "second", "after");
  },

  "a setting is replaced only by those who know its value": async ({ store, commit }) => {
    const replace = (from: string | undefined, value: string): Change => {
      return { kind: "setting.replace", name: "place", from, value };
    };
    const refusal = async (change: Change): Promise<unknown> => {
      const other = { kind: "setting.save", name: "other", value: "changed" } as const;
      const committed = await store.commit([other, change], system);
      return committed.ok ? undefined : committed.failure;
    };
    equal(await refusal(replace("first", "second")), { index: 1, refusal: "stale" }, "no value");
    await commit(replace(undefined, "first"));
    equal(await refusal(replace(undefined, "late")), { index: 1, refusal: "stale" }, "a value");
    equal(await refusal(replace("old", "late")), { index: 1, refusal: "stale" }, "another value");
    equal(await store.settings.get("other"), undefined, "none of the changes");
    equal(await store.settings.get("place"), "first", "the value");
    await commit(replace("first", "second"));
    equal(await store.settings.get("place"), "second", "replaced");
    const both = await Promise.all(
      ["a", "b"].map((value) => store.commit([replace("second", value)], system)),
    );
    equal(both.filter(({ ok }) => ok).length, 1, "one of two at the same time");
  },

  "an event without a row is stored unchanged": async ({ store, account, createdSeq, commit }) => {
    const event = {
      type: "quota.threshold_reached",
      accountId: account.id,
      data: { percent: 80 },
      at: START,
    } as const;
    await commit({ kind: "event.write", ...event });
    const [written] = await store.events.after(createdSeq, 1);
    equal(written, { ...event, actor: { kind: "system" }, seq: written?.seq ?? 0 }, "event");
  },

  "an unknown account has no events except its deletion": async ({
    store,
    account,
    production,
    commit,
  }) => {
    const { id: accountId } = account;
    const event = { type: "quota.threshold_reached", data: { percent: 80 }, at: START } as const;
    await commit({ kind: "account.delete", accountId, at: START });
    const last = await store.events.last();
    equal((await store.events.after(last - 1, 9))[0]?.type, "account.deleted", "its deletion");
    await commit(
      { kind: "event.write", ...event, accountId, catalogueId: production },
      { kind: "event.write", ...event, accountId: "acc_none" },
    );
    equal(await store.events.after(last, 9), [], "after it");
    await commit(
      { kind: "account.create", account },
      { kind: "event.write", ...event, accountId },
      { kind: "account.delete", accountId, at: START },
      { kind: "event.write", ...event, accountId },
    );
    equal(
      (await store.events.after(last, 9)).map(({ type }) => type),
      ["account.created", "quota.threshold_reached", "account.deleted"],
      "of a recreated account, in one commit",
    );
  },

  "a purge removes expired rows in batches, and ids are not reused": async ({
    store,
    production,
    commit,
    addPet,
  }) => {
    for (let count = 0; count < 3; count++) {
      const from = await addPet();
      await commit({ kind: "pet.delete", catalogueId: production, from, at: START + count });
    }
    const lastEvent = await store.events.last();
    const lastNotice = await store.feed.last();
    const over = purge({ deletedBefore: START + 2, eventsBefore: START + 9, limit: 1 });
    let removed = 0;
    for (let slices = 0; slices < 20; slices++) {
      const [count] = await commit(over);
      if (count === 0) break;
      if (typeof count === "number") removed += count;
    }
    equal(removed, 2 + 7 + 1, "two pets, seven events and one notice");
    equal(await store.events.after(0, 10), [], "events");
    const restored = (petId: number): Promise<{ readonly ok: boolean }> =>
      store.commit(
        [{ kind: "pet.restore", catalogueId: production, petId, deletedAfter: 0, at: START }],
        system,
      );
    equal((await restored(1)).ok, false, "purged");
    equal((await restored(3)).ok, true, "not yet");
    equal((await addPet()).id, 4, "next id");
    const events = await store.events.after(lastEvent, 10);
    equal(events.length, 2, "later events have later numbers");
    await commit({ kind: "account.create", account: { ...aNewAccount, createdAt: START } });
    equal((await store.feed.after(lastNotice, 10)).length, 1, "later notices too");
  },

  "a purge removes expired answers and ended counters, and nothing else": async ({
    store,
    production,
    createdSeq,
    commit,
    addPet,
  }) => {
    await addPet();
    await commit(record(production, START), {
      kind: "counters.save",
      counters: [{ name: "a", state: "1", endsAt: START + 10 }],
      lastUsed: [],
    });
    equal(await commit(purge({ now: START + 9 })), [0], "too early");
    equal(await commit(purge({ now: START + 10 })), [2], "removed");
    equal(await store.counters.live(0), [], "counters");
    equal(await store.pets.count(production, {}), 1, "pets");
    equal((await store.events.after(createdSeq, 10)).length, 1, "events");
  },
});

const aNewAccount = {
  id: "acc_new",
  name: "New",
  plan: "free",
  limits: { perMinute: 60, perDay: 1_000 },
} as const;
