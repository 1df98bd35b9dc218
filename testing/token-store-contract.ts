import { system, type Actor } from "../lib/model/actor.ts";
import type { ManagementToken } from "../lib/accounts/token-store.ts";
import type { TokenStore } from "../lib/accounts/token-store.ts";
import type { Eventual } from "../lib/base/eventual.ts";
import type { Store } from "../lib/storage/store.ts";
import { contractCase, type ContractCase } from "./contract-case.ts";
import { expect } from "./contract-case.ts";
import { anAccount, START } from "./shelter.ts";

/** An empty token store, and the store over the same database. */
export interface TokenStoreUnderTest {
  readonly store: Store;
  readonly tokens: TokenStore;
  /** Called after the case. */
  close?(): Eventual<void>;
}

const MAX = 100;

function aToken(id: string, more: Partial<ManagementToken> = {}): ManagementToken {
  return {
    id,
    role: "operator",
    name: `Token ${id}`,
    hash: `hash ${id}`,
    createdAt: START,
    ...more,
  };
}

/** Returns the contract of every token store. Each case runs with a store of its own. */
export function tokenStoreContract(
  open: () => Eventual<TokenStoreUnderTest>,
): readonly ContractCase[] {
  const test = (name: string, body: (made: TokenStoreUnderTest) => Promise<void>): ContractCase =>
    contractCase(name, open, async (made) => {
      for (const id of ["acc_one", "acc_two"]) {
        await made.store.commit([{ kind: "account.create", account: anAccount(id) }], system);
      }
      await body(made);
    });
  const create = (token: ManagementToken, max = MAX) =>
    ({ kind: "token.create", token, max, at: token.createdAt }) as const;
  const newsOf = async ({ store }: TokenStoreUnderTest, accountId?: string) =>
    (await store.events.after(0, 100, accountId)).filter(({ type }) => type.startsWith("token."));

  return [
    test("every event has the actor of its commit", async (made) => {
      const [first, second] = [
        { kind: "command" },
        { kind: "member", id: "mem_one" },
      ] as const satisfies readonly Actor[];
      await made.tokens.commit([create(aToken("a"))], first);
      await made.tokens.commit([{ kind: "token.revoke", tokenId: "a", at: START }], second);
      expect((await newsOf(made)).map(({ actor }) => actor)).toEqual([first, second]);
    }),

    test("a created token is found with all its fields", async ({ tokens }) => {
      const whole = aToken("a", {
        role: "staff",
        accountId: "acc_one",
        expiresAt: START + 9,
        revokedAt: START + 8,
        lastUsedAt: START + 7,
      });
      await tokens.commit([create(whole), create(aToken("b"))], system);
      expect(await tokens.byId("a")).toEqual(whole);
      expect(await tokens.byId("b")).toEqual(aToken("b"));
      expect(await tokens.byId("c")).toBeUndefined();
    }),

    test("events about tokens omit the hash, and those about operators' tokens have no account", async (made) => {
      await made.tokens.commit(
        [create(aToken("a", { role: "viewer", accountId: "acc_one" }))],
        system,
      );
      await made.tokens.commit([create(aToken("b"))], system);
      const news = await newsOf(made);
      expect(news.map(({ type, accountId, data }) => [type, accountId, data])).toEqual([
        ["token.created", "acc_one", { tokenId: "a", role: "viewer", name: "Token a" }],
        ["token.created", "", { tokenId: "b", role: "operator", name: "Token b" }],
      ]);
      expect(await newsOf(made, "acc_two")).toEqual([]);
      const notices = await made.store.feed.after(0, 100);
      expect(notices.slice(-2).map(({ topic, subject }) => `${topic} ${subject}`)).toEqual([
        "token a",
        "token b",
      ]);
    }),

    test("tokens are listed newest first, separately by account and for operators", async ({
      tokens,
    }) => {
      await tokens.commit(
        [
          create(aToken("a", { role: "owner", accountId: "acc_one", createdAt: START + 1 })),
          create(aToken("b", { role: "owner", accountId: "acc_one", createdAt: START + 2 })),
          create(aToken("c", { role: "owner", accountId: "acc_two" })),
          create(aToken("d")),
        ],
        system,
      );
      const ids = async (account: string | undefined): Promise<readonly string[]> =>
        (await tokens.list(account)).map(({ id }) => id);
      expect(await ids("acc_one")).toEqual(["b", "a"]);
      expect(await ids("acc_two")).toEqual(["c"]);
      expect(await ids("acc_none")).toEqual([]);
      expect(await ids(undefined)).toEqual(["d"]);
    }),

    test("a token requires its account and a new id, and refused changes leave no trace", async ({
      tokens,
    }) => {
      const lost = aToken("a", { role: "owner", accountId: "acc_none" });
      expect(await tokens.commit([create(aToken("b")), create(lost)], system)).toEqual({
        ok: false,
        failure: "missing",
      });
      expect(await tokens.byId("b")).toBeUndefined();
      await tokens.commit([create(aToken("b"))], system);
      expect(await tokens.commit([create(aToken("b"))], system)).toEqual({
        ok: false,
        failure: "exists",
      });
    }),

    test("active tokens are limited, and inactive ones do not count", async ({ tokens }) => {
      const of = (id: string, more: Partial<ManagementToken> = {}) =>
        create(aToken(id, { role: "owner", accountId: "acc_one", ...more }), 2);
      await tokens.commit(
        [
          of("a", { revokedAt: START }),
          of("b", { expiresAt: START }),
          of("c", { expiresAt: START + 1 }),
        ],
        system,
      );
      expect(await tokens.commit([of("d")], system)).toEqual({ ok: true, value: undefined });
      expect(await tokens.commit([of("e")], system)).toEqual({ ok: false, failure: "limit" });
      expect((await tokens.commit([create(aToken("f"), 1)], system)).ok).toBe(true);
    }),

    test("a new token removes the oldest inactive ones of its account", async ({ tokens }) => {
      const of = (id: string, more: Partial<ManagementToken> = {}) =>
        create(aToken(id, { role: "owner", accountId: "acc_one", ...more }), 2);
      await tokens.commit(
        [
          create(aToken("operators", { revokedAt: START }), 2),
          of("a", { revokedAt: START + 3 }),
          of("b", { expiresAt: START + 1, revokedAt: START + 9 }),
          of("c", { expiresAt: START + 2 }),
          of("d", { expiresAt: START + 50 }),
        ],
        system,
      );
      await tokens.commit([of("e", { createdAt: START + 10 })], system);
      const left = (await tokens.list("acc_one")).map(({ id }) => id);
      expect(left.toSorted()).toEqual(["a", "c", "d", "e"]);
      expect(await tokens.list(undefined)).toHaveLength(1);
    }),

    test("a second revocation keeps the first instant", async (made) => {
      const { tokens } = made;
      await tokens.commit([create(aToken("a"))], system);
      await tokens.commit([{ kind: "token.revoke", tokenId: "a", at: START + 1 }], system);
      const noticed = await made.store.feed.last();
      await tokens.commit([{ kind: "token.revoke", tokenId: "a", at: START + 2 }], system);
      expect((await tokens.byId("a"))?.revokedAt).toBe(START + 1);
      expect(await made.store.feed.last()).toBe(noticed);
      expect((await newsOf(made)).map(({ type }) => type)).toEqual([
        "token.created",
        "token.revoked",
      ]);
      expect(
        await tokens.commit([{ kind: "token.revoke", tokenId: "x", at: START }], system),
      ).toEqual({
        ok: false,
        failure: "missing",
      });
    }),

    test("revoking a token of a deleted account writes no event", async ({ store, tokens }) => {
      await tokens.commit([create(aToken("a", { role: "owner", accountId: "acc_one" }))], system);
      await store.commit([{ kind: "account.delete", accountId: "acc_one", at: START }], system);
      const last = await store.events.last();
      expect(
        (await tokens.commit([{ kind: "token.revoke", tokenId: "a", at: START }], system)).ok,
      ).toBe(true);
      expect(await store.events.after(last, 9)).toEqual([]);
    }),

    test("the last use of a token never decreases, and unknown tokens are skipped", async ({
      tokens,
    }) => {
      await tokens.commit([create(aToken("a"))], system);
      for (const at of [START + 5, START + 3]) {
        const uses = [
          { tokenId: "a", at },
          { tokenId: "x", at },
        ];
        expect((await tokens.commit([{ kind: "token.use", uses }], system)).ok).toBe(true);
      }
      expect((await tokens.byId("a"))?.lastUsedAt).toBe(START + 5);
    }),

    test("the newest setup link is the only one", async ({ tokens }) => {
      expect(await tokens.setupLink()).toBeUndefined();
      const link = (id: string) => ({ id, hash: `hash ${id}`, expiresAt: START + 10 });
      await tokens.commit([{ kind: "setup.offer", at: START, link: link("a") }], system);
      await tokens.commit([{ kind: "setup.offer", at: START, link: link("b") }], system);
      expect(await tokens.setupLink()).toEqual(link("b"));
      const take = (linkId: string, at: number) =>
        tokens.commit([{ kind: "setup.take", linkId, at }], system);
      expect((await take("a", START)).ok).toBe(false);
      expect((await take("b", START + 10)).ok).toBe(false);
      expect((await take("b", START + 9)).ok).toBe(true);
      expect(await tokens.setupLink()).toBeUndefined();
    }),

    test("a setup link can be offered only if none is valid for long enough", async ({
      tokens,
    }) => {
      const offer = (id: string, expiresAt: number, unlessAfter: number) =>
        tokens.commit(
          [
            {
              kind: "setup.offer",
              at: START,
              link: { id, hash: `hash ${id}`, expiresAt },
              unlessAfter,
            },
          ],
          system,
        );
      const outcomes = await Promise.all(
        ["a", "b", "c"].map((id) => offer(id, START + 10, START + 5)),
      );
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
      expect(outcomes.find(({ ok }) => !ok)).toEqual({ ok: false, failure: "exists" });
      expect((await offer("d", START + 20, START + 9)).ok).toBe(false);
      expect((await offer("d", START + 20, START + 10)).ok).toBe(true);
      expect((await tokens.setupLink())?.id).toBe("d");
    }),

    test("one of two uses of the same setup link gets a token", async ({ tokens }) => {
      const link = { id: "a", hash: "hash", expiresAt: START + 10 };
      await tokens.commit([{ kind: "setup.offer", at: START, link }], system);
      const outcomes = await Promise.all(
        ["x", "y"].map((id) =>
          tokens.commit(
            [{ kind: "setup.take", linkId: "a", at: START }, create(aToken(id))],
            system,
          ),
        ),
      );
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
      expect(await tokens.list(undefined)).toHaveLength(1);
    }),

    test("a purge removes only tokens that ended long ago or lost their account", async ({
      store,
      tokens,
    }) => {
      await tokens.commit(
        [
          create(aToken("revoked", { revokedAt: START - 1 })),
          create(aToken("expired", { expiresAt: START - 1 })),
          create(aToken("lately", { revokedAt: START })),
          create(aToken("good")),
          create(aToken("lost", { role: "owner", accountId: "acc_one" })),
          { kind: "setup.offer", at: START, link: { id: "a", hash: "hash", expiresAt: START } },
        ],
        system,
      );
      await store.commit([{ kind: "account.delete", accountId: "acc_one", at: START }], system);
      const purge = { kind: "purge", endedBefore: START, at: START } as const;
      await tokens.commit([{ ...purge, limit: 1 }], system);
      expect((await tokens.list(undefined)).length).toBeGreaterThan(2);
      await tokens.commit([{ ...purge, limit: 10 }], system);
      const left = await tokens.list(undefined);
      expect(left.map(({ id }) => id).toSorted()).toEqual(["good", "lately"]);
      expect(await tokens.byId("lost")).toBeUndefined();
      expect(await tokens.setupLink()).toBeUndefined();
    }),
  ];
}
