import { system } from "../../lib/model/actor.ts";
import type { MemberChange } from "../../lib/members/member-store.ts";
import type { ContractCase } from "../contract-case.ts";
import { expect } from "../contract-case.ts";
import { START } from "../shelter.ts";
import { aMember, aSession, create, open, refusal, type MemberStoreCase } from "./rows.ts";

/** Sessions. */
export const sessionCases = (test: MemberStoreCase): readonly ContractCase[] => [
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
];
