import { describe, expect, test } from "bun:test";

import { DAY_MS } from "../../../lib/base/clock.ts";
import { openOffice, PASSWORD, type Office } from "../../helpers/management.ts";
import { countedPasswords } from "../../helpers/members.ts";

interface Told {
  readonly code: string;
}
interface Me {
  readonly role: string;
  readonly accountId?: string;
  readonly name: string;
  readonly member?: { readonly id: string; readonly email: string; readonly name: string };
  readonly sessionId?: string;
}

const SESSIONS = "/manage/v1/sessions";
const ME = "/manage/v1/me";

/** Returns the status or the code of a sign-in. */
async function trial(
  office: Office,
  body: { readonly email: string; readonly password?: string },
  address?: string,
): Promise<string | number> {
  const browser = office.browser(address === undefined ? {} : { address });
  const reply = await browser.api.post<Told>(SESSIONS, { password: PASSWORD, ...body });
  return reply.status === 201 ? 201 : reply.body.code;
}

describe("a member who signs in", () => {
  test("is identified by a cookie that scripts and other sites cannot read", async () => {
    const office = await openOffice();
    const { email, memberId } = await office.signIn("staff");
    const browser = office.browser();
    expect((await browser.api.get(ME)).status).toBe(401);
    const credentials = { email: ` ${email.toUpperCase()} `, password: PASSWORD };
    const signedIn = await browser.api.post<Me>(SESSIONS, credentials);
    expect(signedIn.status).toBe(201);
    const [session, device, ...others] = signedIn.headers.getSetCookie();
    const attributes = "Path=/; Secure; HttpOnly; SameSite=Strict";
    expect(session).toMatch(
      new RegExp(`^__Host-petstore=pet_session_\\w+; ${attributes}; Max-Age=2592000$`),
    );
    expect(device).toMatch(
      new RegExp(`^__Host-petstore-device=[\\w-]{32}; ${attributes}; Max-Age=34560000$`),
    );
    expect(others).toEqual([]);
    expect(signedIn.headers.get("cache-control")).toBe("no-store");
    expect(signedIn.text).not.toContain(browser.cookie() ?? "");
    const me = await browser.api.get<Me>(ME);
    expect(me.body).toEqual({
      role: "staff",
      accountId: office.accountId,
      name: email,
      member: { id: memberId, email, name: "" },
      sessionId: signedIn.body.sessionId ?? "",
    });
    expect(me.body).toEqual(signedIn.body);
  });

  test("has the permissions of their role, and sees no more than a token", async () => {
    const office = await openOffice();
    const { api } = await office.signIn("viewer");
    expect((await api.get(`/manage/v1/accounts/${office.accountId}`)).status).toBe(200);
    const change = await api.patch<Told>(`/manage/v1/accounts/${office.accountId}`, { name: "X" });
    expect([change.status, change.body.code]).toEqual([403, "insufficient_role"]);
    const operators = await api.get<Told>("/manage/v1/members");
    expect([operators.status, operators.body.code]).toEqual([403, "insufficient_role"]);
  });

  test("is limited by session, with the same headers as a token", async () => {
    const office = await openOffice();
    const { api } = await office.signIn("operator");
    const first = await api.get(ME);
    expect(first.headers.get("x-ratelimit-limit")).toBe("600");
    const left = Number(first.headers.get("x-ratelimit-remaining"));
    const second = await api.get(ME);
    expect(Number(second.headers.get("x-ratelimit-remaining"))).toBe(left - 1);
  });

  test("stays signed in for thirty days at most, and seven when idle", async () => {
    const office = await openOffice();
    const [used, unused] = [await office.signIn("owner"), await office.signIn("owner")];
    const standing = async ({ api }: { api: typeof used.api }) => (await api.get(ME)).status;
    for (let day = 1; day <= 6; day++) {
      office.clock.advance(DAY_MS);
      await office.members.jobs.tick();
      expect(await standing(used)).toBe(200);
    }
    office.clock.advance(DAY_MS);
    expect([await standing(used), await standing(unused)]).toEqual([200, 401]);
    for (let day = 8; day < 30; day++) {
      office.clock.advance(DAY_MS);
      await office.members.jobs.tick();
      expect([day, await standing(used)]).toEqual([day, 200]);
    }
    office.clock.advance(DAY_MS);
    expect(await standing(used)).toBe(401);
  });

  test("is identified by a token when both are sent", async () => {
    const office = await openOffice();
    const { api } = await office.signIn("operator");
    const { token } = await office.issue("viewer");
    expect((await api.as(token).get<Me>(ME)).body.role).toBe("viewer");
    expect((await api.as("nonsense").get(ME)).status).toBe(401);
  });

  test("can sign in, read and sign out while the account is suspended", async () => {
    const office = await openOffice();
    const { api, email } = await office.signIn("owner");
    await office.as("operator").post(`/manage/v1/accounts/${office.accountId}/suspend`);
    expect(await trial(office, { email })).toBe(201);
    expect((await api.get(ME)).status).toBe(200);
    const path = `/manage/v1/accounts/${office.accountId}/keys`;
    expect((await api.post<Told>(path)).body.code).toBe("account_suspended");
    expect((await api.delete(`${SESSIONS}/current`)).status).toBe(204);
  });

  test("cannot sign in after the account was deleted, and is purged", async () => {
    const office = await openOffice();
    const { api, email } = await office.signIn("owner");
    expect((await api.get(ME)).status).toBe(200);
    await office.members.jobs.tick();
    await office.as("operator").delete(`/manage/v1/accounts/${office.accountId}`);
    await office.members.jobs.tick();
    expect((await api.get(ME)).status).toBe(401);
    expect(await trial(office, { email })).toBe("invalid_credentials");
  });
});

describe("members cannot be enumerated:", () => {
  test("an unknown email address gets the same answer, after as much work", async () => {
    const passwords = countedPasswords();
    const office = await openOffice({ passwords });
    const { email } = await office.signIn("owner");
    const ask = async (body: object) => {
      const before = passwords.verified.length;
      const reply = await office.browser().api.post(SESSIONS, body);
      const { status, text } = reply;
      return { status, text, hashes: passwords.verified.length - before };
    };
    const wrong = await ask({ email, password: "wrong password" });
    const unknown = await ask({ email: "nobody@example.org", password: "wrong password" });
    expect(wrong).toMatchObject({ status: 401, hashes: 1 });
    expect(unknown).toEqual(wrong);
    expect(passwords.verified.at(-1)).toBeUndefined();
    const created = await office.as("operator").post("/manage/v1/members", { email: "p@x.org" });
    expect(created.status).toBe(201);
    expect(await ask({ email: "p@x.org", password: PASSWORD })).toEqual(wrong);
  });

  test("attempts are counted alike for known and unknown email addresses", async () => {
    const office = await openOffice();
    const { email } = await office.signIn("owner");
    const walk = async (tried: string, address: string) => {
      const seen: (string | number)[] = [];
      for (let count = 0; count < 7; count++) {
        seen.push(await trial(office, { email: tried, password: "wrong" }, address));
      }
      return seen;
    };
    const known = await walk(email, "198.51.100.1");
    expect(known.slice(4)).toEqual(["invalid_credentials", "rate_limited", "rate_limited"]);
    expect(await walk("nobody@example.org", "198.51.100.2")).toEqual(known);
  });
});

describe("guessing", () => {
  test("is refused with an exact wait, after which the right password works", async () => {
    const office = await openOffice();
    const { email } = await office.signIn("owner");
    const address = "198.51.100.1";
    for (let count = 0; count < 5; count++) {
      await trial(office, { email, password: "wrong" }, address);
    }
    const browser = office.browser({ address });
    const held = await browser.api.post<Told>(SESSIONS, { email, password: PASSWORD });
    expect([held.status, held.body.code]).toEqual([429, "rate_limited"]);
    const seconds = Number(held.headers.get("retry-after"));
    expect(seconds).toBe(60);
    office.clock.advance(seconds * 1_000);
    expect(await trial(office, { email }, address)).toBe(201);
  });

  test("by a stranger does not lock out the member elsewhere", async () => {
    const office = await openOffice();
    const { email } = await office.signIn("owner");
    for (let hour = 0; hour < 10; hour++) {
      await trial(office, { email, password: "wrong" }, "198.51.100.1");
    }
    expect(await trial(office, { email }, "203.0.113.1")).toBe(201);
  });

  test("by many clients does not lock out a member with a session there", async () => {
    const office = await openOffice();
    const { email } = await office.signIn("owner");
    for (let client = 0; client < 120; client++) {
      await trial(office, { email, password: "wrong" }, `198.51.100.${client}`);
    }
    expect(await trial(office, { email }, "203.0.113.1")).toBe("rate_limited");
    expect(await trial(office, { email }, "192.0.2.1")).toBe(201);
  });

  test("causes no hashing once refused, nor from an address that tries many members", async () => {
    const passwords = countedPasswords();
    const office = await openOffice({ passwords });
    for (let who = 0; who < 100; who++) {
      await trial(office, { email: `${who}@example.org`, password: "x" }, "198.51.100.1");
    }
    expect(passwords.verified).toHaveLength(30);
  });

  test("causes no lookup once refused, so that time reveals no members", async () => {
    let lookups = 0;
    const office = await openOffice({
      memberStore: (store) => ({
        ...store,
        byEmail: (email) => {
          lookups++;
          return store.byEmail(email);
        },
      }),
    });
    const { email } = await office.signIn("owner");
    lookups = 0;
    for (let count = 0; count < 100; count++) {
      await trial(office, { email, password: "x" }, "198.51.100.1");
    }
    expect(lookups).toBe(30);
  });

  test("of sessions and links is counted by client address", async () => {
    const office = await openOffice();
    const browser = office.browser({ address: "198.51.100.1" });
    const codes: string[] = [];
    for (let count = 0; count < 62; count++) {
      const body = { token: "pet_reset_nonsense", password: PASSWORD };
      codes.push((await browser.api.post<Told>("/manage/v1/reset", body)).body.code);
    }
    expect(codes[0]).toBe("invalid_reset_token");
    expect(codes.slice(60)).toEqual(["rate_limited", "rate_limited"]);
    browser.plant("nonsense");
    expect((await browser.api.get<Told>(ME)).body.code).toBe("rate_limited");
    const { api } = await office.signIn("viewer");
    expect((await api.get(ME)).status).toBe(200);
  });
});

test("repeated successful sign-ins are limited by client address too", async () => {
  const office = await openOffice();
  const { email } = await office.signIn("viewer");
  const codes: (number | string)[] = [];
  for (let count = 0; count < 31; count++) {
    codes.push(await trial(office, { email }, "198.51.100.1"));
  }
  expect(codes.slice(28)).toEqual([201, 201, "rate_limited"]);
  expect(await trial(office, { email }, "198.51.100.2")).toBe(201);
});

test("too many simultaneous hashes are refused with 503", async () => {
  const held: (() => void)[] = [];
  const passwords = countedPasswords();
  const office = await openOffice({
    passwords: {
      ...passwords,
      verify: async () => {
        await new Promise<void>((resolve) => held.push(resolve));
        return false;
      },
    },
  });
  const tries = Array.from({ length: 43 }, (_, who) =>
    trial(office, { email: `${who}@example.org` }, `198.51.100.${who}`),
  );
  const first = await Promise.race(tries);
  expect(first).toBe("unavailable");
  const settled = Promise.all(tries);
  let over = false;
  void settled.then(() => (over = true));
  while (!over) {
    held.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const codes = await settled;
  expect(codes.filter((code) => code === "unavailable")).toHaveLength(1);
});
