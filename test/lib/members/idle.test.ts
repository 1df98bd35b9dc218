import { describe, expect, test } from "bun:test";

import { openOffice, type Office, type SignedInBrowser } from "../../helpers/management.ts";

const ME = "/manage/v1/me";
const DAY_MS = 86_400_000;

/** Six days, in which a browser asks once a day; then whether it is still signed in two days later. */
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

describe("a session goes on", () => {
  test("while a person uses it", async () => {
    const office = await openOffice();
    const member = await office.signIn("viewer");
    expect(await afterAWeek(office, member, () => member.api.get(ME))).toBe(200);
  });

  test("while a person opens the dashboard, which asks who is there", async () => {
    const office = await openOffice();
    const member = await office.signIn("viewer");
    const ask = () => member.api.get("/manage/v1/sign-in");
    expect(await afterAWeek(office, member, ask)).toBe(200);
  });
});

describe("a session ends after a week", () => {
  test("in which a page that was left open asked by itself", async () => {
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

  test("in which it had streams alone", async () => {
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

describe("whoever asks how to sign in", () => {
  test("is told who they are, if somebody is signed in there", async () => {
    const office = await openOffice();
    const member = await office.signIn("viewer");
    const [told, me] = [await member.api.get("/manage/v1/sign-in"), await member.api.get(ME)];
    expect(told.body).toMatchObject({ setUp: true, me: me.body as object });
    const newcomer = await office.browser().api.get("/manage/v1/sign-in");
    expect([newcomer.status, newcomer.body]).toMatchObject([200, { me: null }]);
  });

  test("is nobody with a session that is over, without a word of refusal", async () => {
    const office = await openOffice();
    const member = await office.signIn("viewer");
    const stolen = office.browser();
    stolen.plant(member.cookie());
    await member.api.delete("/manage/v1/sessions/current");
    const told = await stolen.api.get("/manage/v1/sign-in");
    expect([told.status, told.body]).toMatchObject([200, { me: null }]);
  });

  test("is nobody to pages of others, whatever cookie came along", async () => {
    const office = await openOffice();
    const member = await office.signIn("viewer");
    for (const site of ["same-site", "cross-site"]) {
      const headers = { "sec-fetch-site": site };
      const told = await member.api.raw("GET", "/manage/v1/sign-in", { headers });
      expect([site, told.status, told.body]).toMatchObject([site, 200, { me: null }]);
    }
  });
});
