import { system, type Actor } from "../lib/model/actor.ts";
import type { TokenStore } from "../lib/accounts/token-store.ts";
import type { Eventual } from "../lib/base/eventual.ts";
import type { MemberChange, MemberStore } from "../lib/members/member-store.ts";
import type { SwitchedMail } from "../lib/members/model/mail-switches.ts";
import type { Member, Passkey, Session } from "../lib/members/model/member.ts";
import type { Store } from "../lib/storage/store.ts";
import { contractCase, type ContractCase } from "./contract-case.ts";
import { expect } from "./contract-case.ts";
import { anAccount, START } from "./shelter.ts";

/** An empty member store, and the other stores over the same database. */
export interface MemberStoreUnderTest {
  readonly store: Store;
  readonly tokens: TokenStore;
  readonly members: MemberStore;
  /** Called after the case. */
  close?(): Eventual<void>;
}

function aMember(id: string, more: Partial<Member> = {}): Member {
  return {
    id,
    email: `${id}@example.org`,
    name: `Member ${id}`,
    role: "operator",
    password: `hash of ${id}`,
    createdAt: START,
    ...more,
  };
}

function aSession(id: string, memberId: string, more: Partial<Session> = {}): Session {
  return {
    id,
    memberId,
    hash: `hash ${id}`,
    createdAt: START,
    lastSeenAt: START,
    expiresAt: START + 1_000,
    address: "192.0.2.1",
    userAgent: "Netscape",
    ...more,
  };
}

function aPasskey(id: string, memberId: string, more: Partial<Passkey> = {}): Passkey {
  return {
    id,
    memberId,
    credentialId: `credential ${id}`,
    publicKey: "key",
    counter: 0,
    transports: ["usb", "nfc"],
    name: `Passkey ${id}`,
    createdAt: START,
    ...more,
  };
}

const create = (member: Member, max = 100): MemberChange => ({
  kind: "member.create",
  member,
  max,
  at: member.createdAt,
});
type Opening = Extract<MemberChange, { readonly kind: "session.create" }>;
type Adding = Extract<MemberChange, { readonly kind: "passkey.create" }>;

const open = (session: Session, max = 50): Opening => ({
  kind: "session.create",
  session,
  max,
});
const add = (passkey: Passkey, max = 20): Adding => ({
  kind: "passkey.create",
  passkey,
  max,
});
const remove = (memberId: string): MemberChange => ({
  kind: "member.remove",
  memberId,
  at: START,
});

/** Returns the contract of every member store. Each case runs with a store of its own. */
export function memberStoreContract(
  make: () => Eventual<MemberStoreUnderTest>,
): readonly ContractCase[] {
  const test = (name: string, body: (made: MemberStoreUnderTest) => Promise<void>): ContractCase =>
    contractCase(name, make, async (made) => {
      for (const id of ["acc_one", "acc_two"]) {
        await made.store.commit([{ kind: "account.create", account: anAccount(id) }], system);
      }
      await body(made);
    });
  const refusal = async (members: MemberStore, ...changes: readonly MemberChange[]) => {
    const committed = await members.commit(changes, system);
    return committed.ok ? "done" : committed.failure;
  };
  const subjects = async ({ store }: MemberStoreUnderTest) =>
    (await store.feed.after(0, 100))
      .filter(({ topic }) => topic === "member")
      .map(({ subject }) => subject);

  return [
    test("every event has the actor of its commit", async ({ store, members }) => {
      const actors = [
        { kind: "visitor" },
        { kind: "member", id: "a" },
        { kind: "token", id: "one" },
      ] as const satisfies readonly Actor[];
      const inAccount = { role: "staff", accountId: "acc_one" } as const;
      const changes: readonly MemberChange[] = [
        create(aMember("a", inAccount)),
        { kind: "member.update", memberId: "a", name: "Grace", at: START },
        remove("a"),
      ];
      for (const [index, actor] of actors.entries()) {
        await members.commit(changes.slice(index, index + 1), actor);
      }
      const events = await store.events.after(0, 100, "acc_one");
      const news = events.filter(({ type }) => type.startsWith("member."));
      expect(news.map(({ actor }) => actor)).toEqual([...actors]);
    }),

    test("the language that a member chose is kept, without an event", async ({
      store,
      members,
    }) => {
      const whole = aMember("a", { role: "staff", accountId: "acc_one", language: "fr" });
      await members.commit([create(whole)], system);
      expect((await members.byId("a"))?.language).toBe("fr");
      const chosen = { kind: "member.language", memberId: "a", language: "de", at: START } as const;
      await members.commit([chosen], system);
      expect(await members.byEmail(whole.email)).toEqual({ ...whole, language: "de", passkeys: 0 });
      const events = await store.events.after(0, 100, "acc_one");
      expect(events.filter(({ type }) => type === "member.updated")).toEqual([]);
      const missing = await members.commit([{ ...chosen, memberId: "b" }], system);
      expect(missing).toMatchObject({ ok: false, failure: "missing" });
    }),

    test("each kind of mails is turned off and on alone, without an event", async ({
      store,
      members,
    }) => {
      const turned = aMember("a", { mailsOff: ["quota_reached", "later"] });
      await members.commit([create(turned), create(aMember("b"))], system);
      const turn = (mail: SwitchedMail, on: boolean, memberId = "a"): MemberChange => ({
        kind: "member.mails",
        memberId,
        mail,
        on,
      });
      expect((await members.byId("a"))?.mailsOff).toEqual(["quota_reached", "later"]);
      await Promise.all([
        members.commit([turn("backup_failed", false)], system),
        members.commit([turn("new_device", false)], system),
        members.commit([turn("quota_reached", true)], system),
      ]);
      const off = (await members.byId("a"))?.mailsOff ?? [];
      expect(off.toSorted()).toEqual(["backup_failed", "later", "new_device"]);
      await members.commit([turn("backup_failed", false), turn("new_device", true)], system);
      expect(new Set((await members.byId("a"))?.mailsOff)).toEqual(
        new Set(["backup_failed", "later"]),
      );
      expect(await members.byId("b")).toEqual({ ...aMember("b"), passkeys: 0 });
      const types = (await store.events.after(0, 100)).map(({ type }) => type);
      expect(types.filter((type) => type.startsWith("member."))).toEqual([
        "member.created",
        "member.created",
      ]);
      expect(await refusal(members, turn("new_device", true, "x"))).toBe("missing");
    }),

    test("a session in a new browser writes an event that says nothing about the browser", async ({
      store,
      members,
    }) => {
      const staff = aMember("a", { role: "staff", accountId: "acc_one" });
      await members.commit([create(staff), create(aMember("b"))], system);
      await members.commit([{ ...open(aSession("one", "a")), newDevice: false }], system);
      await members.commit([{ ...open(aSession("two", "a")), newDevice: true }], system);
      await members.commit([{ ...open(aSession("three", "b")), newDevice: true }], system);
      const events = (await store.events.after(0, 100)).filter(
        ({ type }) => type === "member.device_added",
      );
      expect(events.map(({ accountId, at, data }) => [accountId, at, data])).toEqual([
        ["acc_one", START, { memberId: "a", role: "staff", name: "Member a", sessionId: "two" }],
        ["", START, { memberId: "b", role: "operator", name: "Member b", sessionId: "three" }],
      ]);
    }),

    test("a created member is found by id and by address", async ({ members }) => {
      expect(await members.any()).toBe(false);
      const whole = aMember("a", { role: "staff", accountId: "acc_one", lastSeenAt: START + 1 });
      const { password: _password, ...pending } = aMember("b");
      await members.commit([create(pending)], system);
      expect(await members.any()).toBe(false);
      await members.commit([create(whole)], system);
      expect(await members.any()).toBe(true);
      expect(await members.byId("a")).toEqual({ ...whole, passkeys: 0 });
      expect(await members.byEmail("b@example.org")).toEqual({ ...pending, passkeys: 0 });
      expect(await members.byId("c")).toBeUndefined();
      expect(await members.byEmail("c@example.org")).toBeUndefined();
    }),

    test("members are listed oldest first, separately by account and for operators", async ({
      members,
    }) => {
      const of = (id: string, accountId: string, createdAt: number) =>
        create(aMember(id, { role: "viewer", accountId, createdAt }));
      await members.commit(
        [
          of("late", "acc_one", START + 2),
          of("early", "acc_one", START + 1),
          of("other", "acc_two", START),
          create(aMember("operator")),
          add(aPasskey("k", "early")),
        ],
        system,
      );
      const listed = await members.list("acc_one");
      expect(listed.map(({ id, passkeys }) => [id, passkeys])).toEqual([
        ["early", 1],
        ["late", 0],
      ]);
      expect((await members.list(undefined)).map(({ id }) => id)).toEqual(["operator"]);
      expect(await members.list("acc_none")).toEqual([]);
    }),

    test("a member requires an account, an unused address, and room below the limit", async ({
      members,
    }) => {
      const lost = aMember("a", { role: "owner", accountId: "acc_none" });
      expect(await refusal(members, create(aMember("b")), create(lost))).toBe("missing");
      expect(await members.byId("b")).toBeUndefined();
      expect(await refusal(members, create(aMember("a")))).toBe("done");
      const twin = aMember("b", { email: "a@example.org", role: "owner", accountId: "acc_one" });
      expect(await refusal(members, create(twin))).toBe("exists");
      expect(await refusal(members, create(aMember("c"), 1))).toBe("limit");
      const elsewhere = aMember("d", { role: "owner", accountId: "acc_one" });
      expect(await refusal(members, create(elsewhere, 1))).toBe("done");
    }),

    test("deleting an account frees its members' addresses", async ({ store, members }) => {
      await members.commit([create(aMember("a", { role: "owner", accountId: "acc_one" }))], system);
      await store.commit([{ kind: "account.delete", accountId: "acc_one", at: START }], system);
      const heir = aMember("b", { email: "a@example.org" });
      expect(await refusal(members, create(heir))).toBe("done");
      expect(await members.byId("a")).toBeUndefined();
    }),

    test("events about members omit addresses and hashes, and those about operators have no account", async (made) => {
      const { store, members } = made;
      await members.commit(
        [
          create(aMember("a", { role: "viewer", accountId: "acc_one" })),
          create(aMember("b")),
          create(aMember("c")),
          { kind: "member.update", memberId: "a", role: "staff", at: START },
          remove("b"),
        ],
        system,
      );
      const events = (await store.events.after(0, 100)).filter(({ type }) =>
        type.startsWith("member."),
      );
      expect(events.map(({ type, accountId, data }) => [type, accountId, data])).toEqual([
        ["member.created", "acc_one", { memberId: "a", role: "viewer", name: "Member a" }],
        ["member.created", "", { memberId: "b", role: "operator", name: "Member b" }],
        ["member.created", "", { memberId: "c", role: "operator", name: "Member c" }],
        ["member.updated", "acc_one", { memberId: "a", role: "staff", name: "Member a" }],
        ["member.removed", "", { memberId: "b", role: "operator", name: "Member b" }],
      ]);
      expect(await subjects(made)).toEqual(["a", "b", "c", "a", "b"]);
    }),

    test("an update leaves other fields of a member unchanged", async ({ members }) => {
      await members.commit([create(aMember("a", { role: "staff", accountId: "acc_one" }))], system);
      const change = { kind: "member.update", memberId: "a", at: START } as const;
      await members.commit([{ ...change, name: "" }], system);
      expect(await members.byId("a")).toMatchObject({ name: "", role: "staff" });
      await members.commit([{ ...change, role: "owner" }], system);
      expect(await members.byId("a")).toMatchObject({ name: "", role: "owner" });
      expect(await refusal(members, { ...change, memberId: "x", name: "X" })).toBe("missing");
    }),

    test("a new password ends all sessions and the link of its member only", async (made) => {
      const { members } = made;
      const link = (id: string) => ({ id, memberId: id, hash: "hash", expiresAt: START + 9 });
      for (const id of ["a", "b"]) {
        await members.commit(
          [
            create(aMember(id)),
            open(aSession(`session ${id}`, id)),
            { kind: "reset.offer", link: link(id), at: START },
          ],
          system,
        );
      }
      const noticed = await made.store.feed.last();
      const change = { kind: "member.password", password: "new", at: START } as const;
      await members.commit([{ ...change, memberId: "a" }], system);
      expect((await members.byId("a"))?.password).toBe("new");
      expect(await members.sessions("a")).toEqual([]);
      expect(await members.resetLink("a")).toBeUndefined();
      expect(await members.sessions("b")).toHaveLength(1);
      expect(await members.resetLink("b")).toEqual(link("b"));
      expect(await made.store.feed.last()).toBe(noticed + 1);
      expect(await refusal(members, { ...change, memberId: "x" })).toBe("missing");
    }),

    test("a password replaces the verified one, or any", async ({ members }) => {
      const { password: _password, ...pending } = aMember("pending");
      await members.commit([create(aMember("a")), create(pending)], system);
      const change = { kind: "member.password", password: "new", at: START } as const;
      const after = (before: string) => ({ ...change, memberId: "a", before });
      expect(await refusal(members, after("another"))).toBe("missing");
      expect((await members.byId("a"))?.password).toBe("hash of a");
      expect(await refusal(members, after("hash of a"))).toBe("done");
      expect(await refusal(members, after("hash of a"))).toBe("missing");
      expect(await refusal(members, { ...change, memberId: "pending" })).toBe("done");
      expect((await members.byId("pending"))?.password).toBe("new");
    }),

    test("a removed member loses all data, and the only operator with a password stays", async ({
      members,
    }) => {
      const { password: _password, ...pending } = aMember("pending");
      await members.commit(
        [
          create(aMember("a")),
          create(pending),
          create(aMember("owner", { role: "owner", accountId: "acc_one" })),
          open(aSession("s", "a")),
          add(aPasskey("k", "a")),
        ],
        system,
      );
      expect(await refusal(members, remove("a"))).toBe("last");
      expect(await members.session("s")).toBeDefined();
      await members.commit([create(aMember("b"))], system);
      expect(await refusal(members, remove("a"))).toBe("done");
      expect(await members.session("s")).toBeUndefined();
      expect(await members.passkey("credential k")).toBeUndefined();
      expect(await refusal(members, remove("pending"))).toBe("done");
      expect(await refusal(members, remove("owner"))).toBe("done");
      expect(await refusal(members, remove("b"))).toBe("last");
      expect(await refusal(members, remove("a"))).toBe("missing");
    }),

    test("one of two removals of the last two operators is refused", async ({ members }) => {
      await members.commit([create(aMember("a")), create(aMember("b"))], system);
      const both = await Promise.all([
        refusal(members, remove("a")),
        refusal(members, remove("b")),
      ]);
      expect(both.toSorted()).toEqual(["done", "last"]);
    }),

    test("a session requires its member and the verified password", async ({ members }) => {
      await members.commit([create(aMember("a"))], system);
      expect(await refusal(members, open(aSession("s", "x")))).toBe("missing");
      const stale = { ...open(aSession("s", "a")), password: "another" };
      expect(await refusal(members, stale)).toBe("missing");
      expect(await members.session("s")).toBeUndefined();
      const right = { ...open(aSession("s", "a")), password: "hash of a" };
      expect(await refusal(members, right)).toBe("done");
      expect(await members.session("s")).toEqual(aSession("s", "a"));
      expect((await members.byId("a"))?.lastSeenAt).toBe(START);
    }),

    test("a member keeps the most recently seen sessions and the new one", async ({ members }) => {
      await members.commit([create(aMember("a")), create(aMember("b"))], system);
      await members.commit(
        [
          open(aSession("other", "b")),
          open(aSession("first", "a", { lastSeenAt: START + 5 }), 2),
          open(aSession("second", "a", { lastSeenAt: START + 4 }), 2),
          open(aSession("third", "a", { lastSeenAt: START + 3 }), 2),
        ],
        system,
      );
      const left = (await members.sessions("a")).map(({ id }) => id);
      expect(left).toEqual(["first", "third"]);
      expect(await members.sessions("b")).toHaveLength(1);
    }),

    test("the last visit of a session and its member never decreases", async ({ members }) => {
      await members.commit([create(aMember("a")), open(aSession("s", "a"))], system);
      for (const at of [START + 5, START + 3]) {
        const uses = [
          { sessionId: "s", at },
          { sessionId: "x", at },
        ];
        expect(await refusal(members, { kind: "session.use", uses })).toBe("done");
      }
      expect((await members.session("s"))?.lastSeenAt).toBe(START + 5);
      expect((await members.byId("a"))?.lastSeenAt).toBe(START + 5);
    }),

    test("a member ends a session once, or all other sessions together", async (made) => {
      const { members } = made;
      await members.commit([create(aMember("a")), create(aMember("b"))], system);
      for (const id of ["s", "t", "u"]) await members.commit([open(aSession(id, "a"))], system);
      const end = (memberId: string): MemberChange => ({
        kind: "session.end",
        sessionId: "s",
        memberId,
        at: START,
      });
      expect(await refusal(members, end("b"))).toBe("missing");
      expect(await refusal(members, end("a"))).toBe("done");
      expect(await refusal(members, end("a"))).toBe("missing");
      const others = {
        kind: "session.end_others",
        memberId: "a",
        except: "t",
        at: START,
      } as const;
      await members.commit([others], system);
      expect((await members.sessions("a")).map(({ id }) => id)).toEqual(["t"]);
      const noticed = await made.store.feed.last();
      await members.commit([others], system);
      expect(await made.store.feed.last()).toBe(noticed);
    }),

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
}
