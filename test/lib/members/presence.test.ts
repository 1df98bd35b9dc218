import { describe, expect, test } from "bun:test";

import type { PasskeyView } from "../../../lib/management/member-view.ts";
import {
  openOffice,
  PASSWORD,
  type Office,
  type SignedInBrowser,
} from "../../helpers/management.ts";
import { saidPasskeys } from "../../helpers/members.ts";

interface Told {
  readonly code: string;
  readonly challenge: string;
}

const PASSKEYS = "/manage/v1/passkeys";
const MINUTES_15 = 900_000;
const OTHER_PASSWORD = "nine shy hedgehogs sleep";

type Caller = Pick<SignedInBrowser, "api">;

/** Begins to add a passkey; how that ends. */
async function begin({ api }: Caller, current?: string): Promise<number | string> {
  const body = current === undefined ? {} : { current };
  const reply = await api.post<Told>(`${PASSKEYS}/options`, body);
  return reply.status === 200 ? 200 : reply.body.code;
}

async function challengeOf({ api }: Caller, current?: string): Promise<string> {
  const body = current === undefined ? {} : { current };
  return (await api.post<Told>(`${PASSKEYS}/options`, body)).body.challenge;
}

/** Adds what a device answered; how that ends. */
async function add({ api }: Caller, response: object): Promise<number | string> {
  const reply = await api.post<Told>(PASSKEYS, { name: "Phone", response });
  return reply.status === 201 ? 201 : reply.body.code;
}

async function count({ api }: Caller): Promise<number> {
  return (await api.get<readonly PasskeyView[]>(PASSKEYS)).body.length;
}

/** The token of a link by which the member chooses a password. */
async function linkFor(office: Office, { memberId }: SignedInBrowser): Promise<string> {
  const path = `/manage/v1/accounts/${office.accountId}/members/${memberId}/reset-link`;
  const { body } = await office.as("owner").post<{ readonly url: string }>(path);
  return new URL(body.url).hash.slice(1);
}

function changePassword({ api }: Caller, current: string, password: string) {
  return api.raw<Told>("PUT", "/manage/v1/me/password", {
    body: JSON.stringify({ current, password }),
    headers: { "content-type": "application/json" },
  });
}

describe("whoever adds a passkey", () => {
  test("types no password within fifteen minutes of signing in", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    office.clock.advance(MINUTES_15);
    expect(await begin(member)).toBe(200);
    expect((await member.api.post(`${PASSKEYS}/options`)).status).toBe(200);
  });

  test("types it after that, however much the session was used", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    for (let minute = 0; minute < 15; minute++) {
      office.clock.advance(60_000);
      await member.api.get("/manage/v1/me");
    }
    office.clock.advance(1);
    const reply = await member.api.post<Told>(`${PASSKEYS}/options`);
    expect([reply.status, reply.body.code]).toEqual([403, "password_required"]);
    expect(reply.text).not.toContain("challenge");
    expect(await begin(member, PASSWORD)).toBe(200);
    expect(await begin(member)).toBe("password_required");
  });

  test("types none after signing in anew, and none after changing the password", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    office.clock.advance(MINUTES_15 + 1);
    const again = office.browser();
    await again.api.post("/manage/v1/sessions", { email: member.email, password: PASSWORD });
    expect([await begin(member), await begin(again)]).toEqual(["password_required", 200]);
    expect((await changePassword(member, PASSWORD, OTHER_PASSWORD)).status).toBe(204);
    expect(await begin(member)).toBe(200);
  });

  test("is refused with a wrong one, in a new session too", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    expect(await begin(member, "a guess")).toBe("invalid_credentials");
    office.clock.advance(MINUTES_15 + 1);
    expect(await begin(member, "a guess")).toBe("invalid_credentials");
    expect(await begin(member, "")).toBe("invalid_credentials");
    expect(await count(member)).toBe(0);
  });

  test("is counted with those who change the password, from wherever they come", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    office.clock.advance(MINUTES_15 + 1);
    for (let guess = 0; guess < 3; guess++) await begin(member, "a guess");
    await changePassword(member, "a guess", OTHER_PASSWORD);
    const thief = office.browser({ address: "203.0.113.1" });
    thief.plant(member.cookie());
    const codes = [await begin(thief, "a guess"), await begin(thief, PASSWORD)];
    expect(codes).toEqual(["invalid_credentials", "rate_limited"]);
    const changed = await changePassword(member, PASSWORD, OTHER_PASSWORD);
    expect([changed.status, changed.body.code]).toEqual([429, "rate_limited"]);
  });

  test("proves it once for each: a challenge adds one passkey, by its own session, in five minutes", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    office.clock.advance(MINUTES_15 + 1);
    const challenge = await challengeOf(member, PASSWORD);
    expect(await add(member, { id: "one", challenge })).toBe(201);
    expect(await add(member, { id: "two", challenge })).toBe("invalid_passkey");
    const [{ id } = { id: "" }] = (await member.api.get<readonly PasskeyView[]>(PASSKEYS)).body;
    await member.api.delete(`${PASSKEYS}/${id}`);
    expect(await add(member, { id: "one", challenge })).toBe("invalid_passkey");
    const other = office.browser();
    await other.api.post("/manage/v1/sessions", { email: member.email, password: PASSWORD });
    const theirs = await challengeOf(other);
    expect(await add(member, { id: "three", challenge: theirs })).toBe("invalid_passkey");
    const late = await challengeOf(member, PASSWORD);
    office.clock.advance(300_000);
    expect(await add(member, { id: "four", challenge: late })).toBe("invalid_passkey");
    expect(await count(member)).toBe(0);
  });
});

describe("passkeys", () => {
  test("go with a password that is chosen by a link, those of the member alone", async () => {
    const office = await openOffice();
    const [member, other] = [await office.signIn("staff"), await office.signIn("staff")];
    await add(member, { id: "theirs", challenge: await challengeOf(member) });
    await add(other, { id: "other", challenge: await challengeOf(other) });
    const token = await linkFor(office, member);
    const browser = office.browser();
    const weak = await browser.api.post("/manage/v1/reset", { token, password: "weak" });
    expect([weak.status, await count(member)]).toEqual([400, 1]);
    await browser.api.post("/manage/v1/reset", { token, password: OTHER_PASSWORD });
    expect([await count(browser), await count(other)]).toEqual([0, 1]);
    const thief = office.browser();
    const signIn = "/manage/v1/sessions/passkey";
    const { challenge } = (await thief.api.post<Told>(`${signIn}/options`)).body;
    const response = { id: "theirs", challenge, counter: 1 };
    const refused = await thief.api.post<Told>(signIn, { response });
    expect([refused.status, refused.body.code]).toEqual([401, "invalid_passkey"]);
  });

  test("stay with a password that is changed by who knows it", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    await add(member, { id: "mine", challenge: await challengeOf(member) });
    await changePassword(member, PASSWORD, OTHER_PASSWORD);
    expect(await count(member)).toBe(1);
  });

  test("that a thief adds while their owner resets the password come too late", async () => {
    let reset = async (): Promise<void> => undefined;
    const office = await openOffice({
      passkeys: {
        ...saidPasskeys,
        created: async (proof) => {
          // The slow part, after the session was believed.
          await reset();
          return saidPasskeys.created(proof);
        },
      },
    });
    const member = await office.signIn("staff");
    const token = await linkFor(office, member);
    const browser = office.browser();
    reset = async () => {
      await browser.api.post("/manage/v1/reset", { token, password: OTHER_PASSWORD });
    };
    const challenge = await challengeOf(member);
    expect(await add(member, { id: "thief", challenge })).toBe("invalid_passkey");
    expect(await count(browser)).toBe(0);
  });
});
