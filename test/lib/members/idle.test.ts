import { describe, expect, test } from "bun:test";

import { openOffice, type Office, type SignedInBrowser } from "../../helpers/management.ts";

const ME = "/manage/v1/me";
const DAY_MS = 86_400_000;

/** Sends a request a day for six days, and returns whether the browser is still signed in two days later. */
async function afterAWeek(
  office: Office,
  { api }: SignedInBrowser,
  ask: () => Promise<unknown>,
): Promise<number> {
  for (let day = 0; day < 6; day++) {
    office.clock.advance(DAY_MS);
    await ask();
    await office.members.jobs.tick();
  }
  office.clock.advance(2 * DAY_MS);
  return (await api.get(ME)).status;
}

describe("a session stays active", () => {
  test("while a person uses it", async () => {
    const office = await openOffice();
    const member = await office.signIn("viewer");
    expect(await afterAWeek(office, member, () => member.api.get(ME))).toBe(200);
  });

  test("while a person opens the dashboard, which reads the sign-in state", async () => {
    const office = await openOffice();
    const member = await office.signIn("viewer");
    const ask = () => member.api.get("/manage/v1/sign-in");
    expect(await afterAWeek(office, member, ask)).toBe(200);
  });
});

describe("a session ends after a week", () => {
  test("of automatic requests by an open page", async () => {
    const office = await openOffice();
    const member = await office.signIn("viewer");
    const statuses = new Set<number>();
    const ask = async () => {
      const headers = { "x-petstore-unattended": "1" };
      statuses.add((await member.api.raw("GET", ME, { headers })).status);
    };
    expect(await afterAWeek(office, member, ask)).toBe(401);
    expect([...statuses]).toEqual([200]);
  });

  test("of streams only", async () => {
    const office = await openOffice();
    const member = await office.signIn("viewer");
    const path = `http://petstore.test/manage/v1/accounts/${office.accountId}/events`;
    const headers = {
      accept: "text/event-stream",
      cookie: `__Host-petstore=${member.cookie()}`,
    };
    const statuses = new Set<number>();
    const ask = async () => {
      const request = new Request(path, { method: "HEAD", headers });
      const answer = await office.management.fetch(request, { signIn: "allowed" });
      statuses.add(answer.status);
    };
    expect(await afterAWeek(office, member, ask)).toBe(401);
    expect([...statuses]).toEqual([200]);
  });
});

describe("the sign-in state", () => {
  test("names the signed-in member", async () => {
    const office = await openOffice();
    const member = await office.signIn("viewer");
    const [signIn, me] = [await member.api.get("/manage/v1/sign-in"), await member.api.get(ME)];
    expect(signIn.body).toMatchObject({ setUp: true, me: me.body as object });
    const newcomer = await office.browser().api.get("/manage/v1/sign-in");
    expect([newcomer.status, newcomer.body]).toMatchObject([200, { me: null }]);
  });

  test("has no member for an ended session, without an error", async () => {
    const office = await openOffice();
    const member = await office.signIn("viewer");
    const stolen = office.browser();
    stolen.plant(member.cookie());
    await member.api.delete("/manage/v1/sessions/current");
    const signIn = await stolen.api.get("/manage/v1/sign-in");
    expect([signIn.status, signIn.body]).toMatchObject([200, { me: null }]);
  });

  test("has no member for other sites' pages, whatever the cookie", async () => {
    const office = await openOffice();
    const member = await office.signIn("viewer");
    for (const site of ["same-site", "cross-site"]) {
      const headers = { "sec-fetch-site": site };
      const signIn = await member.api.raw("GET", "/manage/v1/sign-in", { headers });
      expect([site, signIn.status, signIn.body]).toMatchObject([site, 200, { me: null }]);
    }
  });
});
