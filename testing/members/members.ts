import { system, type Actor } from "../../lib/model/actor.ts";
import type { MemberChange } from "../../lib/members/member-store.ts";
import type { SwitchedMail } from "../../lib/members/model/mail-switches.ts";
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
  remove,
  refusal,
  subjects,
  type MemberStoreCase,
} from "./rows.ts";

/** Members, and the events about them. */
export const memberCases = (test: MemberStoreCase): readonly ContractCase[] => [
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

  test("the language that a member chose is kept, without an event", async ({ store, members }) => {
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
    const both = await Promise.all([refusal(members, remove("a")), refusal(members, remove("b"))]);
    expect(both.toSorted()).toEqual(["done", "last"]);
  }),
];
