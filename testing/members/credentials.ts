import { system } from "../../lib/model/actor.ts";
import type { MemberChange } from "../../lib/members/member-store.ts";
import type { ContractCase } from "../contract-case.ts";
import { expect } from "../contract-case.ts";
import { START } from "../shelter.ts";
import {
  aMember,
  aSession,
  aPasskey,
  create,
  open,
  add,
  refusal,
  type MemberStoreCase,
} from "./rows.ts";

/** Passkeys, links and challenges, and the purge of all that has expired. */
export const credentialCases = (test: MemberStoreCase): readonly ContractCase[] => [
  test("a created passkey is found by its credential id", async ({ members }) => {
    await members.commit([create(aMember("a")), add(aPasskey("k", "a"))], system);
    expect(await members.passkey("credential k")).toEqual(aPasskey("k", "a"));
    await members.commit(
      [add(aPasskey("l", "a", { transports: [], createdAt: START + 1 }))],
      system,
    );
    expect((await members.passkeys("a")).map(({ id }) => id)).toEqual(["k", "l"]);
    const same = aPasskey("m", "a", { credentialId: "credential k" });
    expect(await refusal(members, add(same))).toBe("exists");
    expect(await refusal(members, add(aPasskey("n", "a"), 2))).toBe("limit");
    expect(await refusal(members, add(aPasskey("n", "x")))).toBe("missing");
    const removal = { kind: "passkey.remove", passkeyId: "k", at: START } as const;
    expect(await refusal(members, { ...removal, memberId: "x" })).toBe("missing");
    expect(await refusal(members, { ...removal, memberId: "a" })).toBe("done");
    expect(await members.passkey("credential k")).toBeUndefined();
  }),

  test("a passkey added by a session requires a session of its member", async ({ members }) => {
    await members.commit([create(aMember("a")), create(aMember("b"))], system);
    await members.commit([open(aSession("s", "a")), open(aSession("t", "b"))], system);
    const by = (sessionId: string) => ({ ...add(aPasskey("k", "a")), sessionId });
    expect(await refusal(members, by("x"))).toBe("missing");
    expect(await refusal(members, by("t"))).toBe("missing");
    expect(await members.passkeys("a")).toEqual([]);
    expect(await refusal(members, by("s"))).toBe("done");
  }),

  test("removing all passkeys of a member leaves those of other members", async ({ members }) => {
    await members.commit([create(aMember("a")), create(aMember("b"))], system);
    await members.commit(
      [add(aPasskey("k", "a")), add(aPasskey("l", "a")), add(aPasskey("m", "b"))],
      system,
    );
    const removal = { kind: "passkey.remove_all", memberId: "a", at: START } as const;
    expect(await refusal(members, removal)).toBe("done");
    expect(await members.passkeys("a")).toEqual([]);
    expect(await members.passkeys("b")).toHaveLength(1);
    expect(await refusal(members, removal)).toBe("done");
  }),

  test("one of two uses of a passkey with the same counter is refused", async ({ members }) => {
    await members.commit([create(aMember("a")), add(aPasskey("k", "a", { counter: 4 }))], system);
    const use = {
      kind: "passkey.use",
      passkeyId: "k",
      before: 4,
      counter: 5,
      at: START,
    } as const;
    const both = await Promise.all([refusal(members, use), refusal(members, use)]);
    expect(both.toSorted()).toEqual(["done", "missing"]);
    expect(await members.passkey("credential k")).toMatchObject({
      counter: 5,
      lastUsedAt: START,
    });
  }),

  test("only the newest link of a member works, once and before it expires", async ({
    members,
  }) => {
    await members.commit([create(aMember("a")), create(aMember("b"))], system);
    const offer = (id: string, memberId: string): MemberChange => ({
      kind: "reset.offer",
      link: { id, memberId, hash: `hash ${id}`, expiresAt: START + 10 },
      at: START,
    });
    await members.commit([offer("1", "a")], system);
    await members.commit([offer("2", "a"), offer("3", "b")], system);
    expect(await members.resetLink("1")).toBeUndefined();
    expect(await refusal(members, offer("4", "x"))).toBe("missing");
    const take = (linkId: string, at: number) =>
      refusal(members, { kind: "reset.take", linkId, at });
    expect(await take("2", START + 10)).toBe("missing");
    const both = await Promise.all([take("2", START + 9), take("2", START + 9)]);
    expect(both.toSorted()).toEqual(["done", "missing"]);
    expect(await members.resetLink("3")).toBeDefined();
  }),

  test("the setup link works once, together with the changes of its commit", async ({
    tokens,
    members,
  }) => {
    const link = { id: "1", hash: "hash", expiresAt: START + 10 };
    await tokens.commit([{ kind: "setup.offer", at: START, link }], system);
    const take = (at: number): MemberChange => ({ kind: "setup.take", linkId: "1", at });
    expect(await refusal(members, take(START + 10), create(aMember("late")))).toBe("missing");
    const both = await Promise.all(
      ["a", "b"].map((id) => refusal(members, take(START), create(aMember(id)))),
    );
    expect(both.toSorted()).toEqual(["done", "missing"]);
    expect(await members.list(undefined)).toHaveLength(1);
    expect(await tokens.setupLink()).toBeUndefined();
  }),

  test("a challenge can be used once", async ({ members }) => {
    const spend = { kind: "challenge.spend", challenge: "c", expiresAt: START } as const;
    const both = await Promise.all([refusal(members, spend), refusal(members, spend)]);
    expect(both.toSorted()).toEqual(["done", "exists"]);
  }),

  test("a purge removes only rows that expired or lost their account", async ({
    store,
    members,
  }) => {
    await members.commit(
      [
        create(aMember("a")),
        create(aMember("lost", { role: "owner", accountId: "acc_one" })),
        open(aSession("expired", "a", { expiresAt: START, lastSeenAt: START })),
        open(aSession("unused", "a", { lastSeenAt: START - 11 })),
        open(aSession("good", "a", { lastSeenAt: START - 10 })),
        open(aSession("theirs", "lost")),
        add(aPasskey("k", "lost")),
        {
          kind: "reset.offer",
          link: { id: "1", memberId: "a", hash: "h", expiresAt: START },
          at: START,
        },
        { kind: "challenge.spend", challenge: "old", expiresAt: START },
        { kind: "challenge.spend", challenge: "new", expiresAt: START + 1 },
      ],
      system,
    );
    await store.commit([{ kind: "account.delete", accountId: "acc_one", at: START }], system);
    const purge = { kind: "purge", at: START, seenBefore: START - 10 } as const;
    await members.commit([{ ...purge, limit: 1 }], system);
    expect((await members.sessions("a")).length).toBeGreaterThan(1);
    await members.commit([{ ...purge, limit: 10 }], system);
    expect((await members.sessions("a")).map(({ id }) => id)).toEqual(["good"]);
    expect(await members.session("theirs")).toBeUndefined();
    expect(await members.passkey("credential k")).toBeUndefined();
    expect(await members.byId("lost")).toBeUndefined();
    expect(await members.resetLink("1")).toBeUndefined();
    const again = { kind: "challenge.spend", expiresAt: START + 9 } as const;
    expect(await refusal(members, { ...again, challenge: "old" })).toBe("done");
    expect(await refusal(members, { ...again, challenge: "new" })).toBe("exists");
  }),
];
