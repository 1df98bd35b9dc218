import { isoTime } from "../../lib/base/clock.ts";
import { equal } from "../contract-case.ts";
import {
  addShelter,
  aKey,
  anAccount,
  storeCases,
  type StoreCase,
  START,
  newPet,
} from "../shelter.ts";

/** Accounts. */
export const accountCases: readonly StoreCase[] = storeCases({
  "an account is found with its two catalogues": async ({
    store,
    account,
    production,
    staging,
  }) => {
    equal(await store.accounts.byId(account.id), account, "account");
    equal(
      await store.catalogues.byId(staging),
      { id: staging, accountId: account.id, environment: "staging" },
      "catalogue",
    );
    equal(production === staging, false, "one for each environment");
    equal(await store.accounts.byId("acc_none"), undefined, "unknown account");
    equal(await store.catalogues.of("acc_none", "production"), undefined, "unknown catalogue");
    equal(await store.catalogues.byId(999), undefined, "unknown id");
  },

  "accounts are listed oldest first": async ({ store, commit }) => {
    await commit({ kind: "account.create", account: anAccount("acc_c", START - 2) });
    await commit({ kind: "account.create", account: anAccount("acc_b", START + 2) });
    const ids = (await store.accounts.list()).map(({ id }) => id);
    equal(ids, ["acc_c", "acc_one", "acc_b"], "ids");
  },

  "changes of plan and suspension write notices": async ({ store, account, commit, refusal }) => {
    const { id: accountId } = account;
    const limits = { perMinute: 7, perDay: 70 };
    const start = await store.feed.last();
    await commit({ kind: "account.plan", accountId, plan: "enterprise", limits, at: START });
    await commit({ kind: "account.suspend", accountId, suspendedAt: START, at: START });
    const changed = { ...account, plan: "enterprise", limits } as const;
    equal(await store.accounts.byId(accountId), { ...changed, suspendedAt: START }, "suspended");
    await commit({ kind: "account.suspend", accountId, suspendedAt: undefined, at: START });
    equal(await store.accounts.byId(accountId), changed, "resumed");
    await commit({ kind: "account.suspend", accountId, suspendedAt: undefined, at: START });
    equal(await store.accounts.byId(accountId), changed, "resumed twice");
    const notices = await store.feed.after(start, 10);
    equal(
      notices.map(({ topic, subject }) => [topic, subject]),
      [1, 2, 3].map(() => ["account", accountId]),
      "notices",
    );
    equal(await store.feed.last(), notices.at(-1)?.seq, "last");
    equal(
      await store.feed.after(start, 10, notices[1]?.seq),
      notices.slice(0, 2),
      "up to a number",
    );
    equal(
      await refusal({
        kind: "account.suspend",
        accountId: "acc_none",
        suspendedAt: START,
        at: START,
      }),
      { index: 0, refusal: "missing" },
      "unknown account",
    );
  },

  "an account can be renamed": async ({ store, account, commit, refusal }) => {
    const start = await store.feed.last();
    await commit({ kind: "account.rename", accountId: account.id, name: "Otters", at: START });
    equal(await store.accounts.byId(account.id), { ...account, name: "Otters" }, "account");
    equal((await store.feed.after(start, 10)).length, 1, "notices");
    equal(
      await refusal({ kind: "account.rename", accountId: "acc_none", name: "X", at: START }),
      { index: 0, refusal: "missing" },
      "unknown account",
    );
  },

  "each change of an account writes one event, and its deletion only its own": async ({
    store,
    account,
    commit,
  }) => {
    const { id: accountId } = account;
    const limits = { perMinute: 7, perDay: 70 };
    await commit({ kind: "account.rename", accountId, name: "Otters", at: START + 1 });
    await commit({ kind: "account.plan", accountId, plan: "enterprise", limits, at: START + 2 });
    for (const at of [START + 3, START + 4]) {
      await commit({ kind: "account.suspend", accountId, suspendedAt: at, at });
    }
    for (const at of [START + 5, START + 6]) {
      await commit({ kind: "account.suspend", accountId, suspendedAt: undefined, at });
    }
    await commit({ kind: "account.delete", accountId, at: START + 7 });
    const createdAt = isoTime(START);
    const renamed = { ...account, name: "Otters", createdAt };
    const upgraded = { ...renamed, plan: "enterprise", limits } as const;
    const written = await store.events.after(0, 20, accountId);
    equal<unknown>(
      written.map(({ type, at, data }) => [type, at - START, data["account"]]),
      [
        ["account.created", 0, { ...account, createdAt }],
        ["account.updated", 1, renamed],
        ["account.updated", 2, upgraded],
        ["account.suspended", 3, { ...upgraded, suspendedAt: isoTime(START + 3) }],
        ["account.resumed", 5, upgraded],
        ["account.deleted", 7, { id: accountId }],
      ],
      "events",
    );
  },

  "a deleted account disappears at once with its keys, and others stay": async (one) => {
    const two = await addShelter(one.store, "acc_two");
    const { store, account, production, commit, refusal } = one;
    await commit({ kind: "key.create", key: aKey("key1", account, production), max: 9 });
    await commit({ kind: "key.create", key: aKey("key2", two.account, two.production), max: 9 });
    await one.addPet();
    await two.addPet();
    await commit({ kind: "account.delete", accountId: account.id, at: START });
    equal(await store.accounts.byId(account.id), undefined, "account");
    equal(await store.catalogues.of(account.id, "production"), undefined, "catalogue");
    equal(await store.catalogues.byId(production), undefined, "catalogue by id");
    equal(await store.catalogues.revision(production), 0, "revision");
    equal(await store.keys.byId("key1"), undefined, "key");
    equal((await store.keys.byId("key2"))?.id, "key2", "the other's key");
    equal((await store.accounts.list()).length, 1, "accounts");
    const pet = newPet();
    equal(
      await refusal({ kind: "pet.create", catalogueId: production, pet, at: START }),
      { index: 0, refusal: "unknown_category" },
      "a pet without an account",
    );
    equal(
      await refusal({ kind: "account.delete", accountId: account.id, at: START }),
      { index: 0, refusal: "missing" },
      "a second time",
    );
  },

  "the rows of a deleted account are purged in batches, and its catalogue ids are not reused":
    async (one) => {
      const two = await addShelter(one.store, "acc_two");
      for (let count = 0; count < 5; count++) await two.addPet({ status: "sold" });
      await one.addPet();
      await one.commit({ kind: "account.delete", accountId: two.account.id, at: START });
      for (let slice = 0; slice < 30; slice++) {
        const purged = await one.commit({
          kind: "purge",
          now: START,
          deletedBefore: 0,
          adoptersBefore: 0,
          eventsBefore: 0,
          limit: 2,
        });
        if (purged[0] === 0) break;
      }
      equal(await one.store.pets.count(two.production, {}), 0, "pets");
      equal(await one.store.orders.count(two.production, {}), 0, "orders");
      equal(await one.store.categories.count(two.staging), 0, "categories");
      const events = await one.store.events.after(0, 99, two.account.id);
      equal(
        events.map(({ type, data }) => [type, data]),
        [["account.deleted", { account: { id: two.account.id } }]],
        "remaining events",
      );
      equal(await one.store.pets.count(one.production, {}), 1, "pets of the other");
      const three = await addShelter(one.store, "acc_three");
      equal(
        [two.production, two.staging].includes(three.production),
        false,
        "the new catalogue reuses an id",
      );
    },

  "an account created with the id of a deleted one keeps its own data": async ({
    store,
    account,
    addPet,
    commit,
  }) => {
    await addPet();
    await commit({ kind: "account.delete", accountId: account.id, at: START });
    const again = await addShelter(store, account.id);
    await again.addPet();
    const over = { now: START, deletedBefore: 0, adoptersBefore: 0, eventsBefore: 0, limit: 100 };
    await commit({ kind: "purge", ...over });
    const events = await store.events.after(0, 10, account.id);
    equal(
      events.map(({ type, catalogueId }) => [type, catalogueId]),
      [
        ["account.deleted", undefined],
        ["account.created", undefined],
        ["pet.created", again.production],
      ],
      "events",
    );
    equal(await store.pets.count(again.production, {}), 1, "pets");
    equal(await commit({ kind: "purge", ...over }), [0], "nothing is left to purge");
  },
});
