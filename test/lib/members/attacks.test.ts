import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { createMembers } from "../../../lib/members/create-members.ts";
import type { MemberStore } from "../../../lib/members/member-store.ts";
import { forged } from "../../helpers/forged.ts";
import { countedPasswords } from "../../helpers/members.ts";
import {
  openOffice,
  PASSWORD,
  type Office,
  type SignedInBrowser,
} from "../../helpers/management.ts";

interface Told {
  readonly code: string;
}
interface Link {
  readonly url: string;
}

const SESSIONS = "/manage/v1/sessions";
const ME = "/manage/v1/me";
const OTHER_PASSWORD = "nine shy hedgehogs sleep";

const standing = async ({ api }: Pick<SignedInBrowser, "api">): Promise<number> =>
  (await api.get(ME)).status;

const tokenOf = ({ url }: Link): string => new URL(url).hash.slice(1);

async function linkFor(office: Office, { memberId }: SignedInBrowser): Promise<string> {
  const path = `/manage/v1/accounts/${office.accountId}/members/${memberId}/reset-link`;
  return tokenOf((await office.as("owner").post<Link>(path)).body);
}

describe("session fixation:", () => {
  test("an earlier cookie is never reused, valid or not", async () => {
    const office = await openOffice();
    const attacker = await office.signIn("viewer");
    const victim = await office.signIn("owner");
    for (const planted of [attacker.cookie(), "pet_session_made_up", ""]) {
      const browser = office.browser();
      browser.plant(planted);
      const body = { email: victim.email, password: PASSWORD };
      expect((await browser.api.post(SESSIONS, body)).status).toBe(201);
      expect(browser.cookie()).not.toBe(planted);
      expect((await browser.api.get(ME)).body).toMatchObject({ role: "owner" });
    }
    expect((await attacker.api.get(ME)).body).toMatchObject({ role: "viewer" });
  });

  test("every sign-in creates a new session", async () => {
    const office = await openOffice();
    const { email } = await office.signIn("owner");
    const cookies = new Set<string | undefined>();
    for (let count = 0; count < 5; count++) {
      const browser = office.browser();
      await browser.api.post(SESSIONS, { email, password: PASSWORD });
      cookies.add(browser.cookie());
    }
    expect(cookies.size).toBe(5);
  });
});

describe("cross-site requests:", () => {
  const sites: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["a tenant's site", { "sec-fetch-site": "same-site", origin: "https://evil.petstore.test" }],
    ["a page without origin", { "sec-fetch-site": "cross-site", origin: "null" }],
    ["a bookmark", { "sec-fetch-site": "none" }],
    [
      "an old browser at a tenant's site",
      { "sec-fetch-site": "", origin: "https://x.petstore.test" },
    ],
  ];
  for (const [name, headers] of sites) {
    test(`${name} changes nothing and opens no session`, async () => {
      const office = await openOffice();
      const { api, email } = await office.signIn("owner");
      const path = `/manage/v1/accounts/${office.accountId}`;
      const before = (await api.get(path)).text;
      const change = await api.patch<Told>(path, { name: "Pwned" }, { headers });
      expect([change.status, change.body.code]).toEqual([403, "cross_site_request"]);
      expect((await api.delete<Told>(`${SESSIONS}/current`, { headers })).status).toBe(403);
      expect((await api.get(path)).text).toBe(before);
      const body = { email, password: PASSWORD };
      const signedIn = await office.browser().api.post<Told>(SESSIONS, body, { headers });
      expect([signedIn.status, signedIn.body.code]).toEqual([403, "cross_site_request"]);
      expect(signedIn.headers.get("set-cookie")).toBeNull();
    });
  }

  test("they do not spend the victim's limits", async () => {
    const office = await openOffice();
    const { api } = await office.signIn("owner");
    const left = async () => (await api.get(ME)).headers.get("x-ratelimit-remaining");
    const before = Number(await left());
    for (let count = 0; count < 20; count++) {
      await api.get(ME, { headers: { "sec-fetch-site": "same-site" } });
      await api.post(SESSIONS, {}, { headers: { "sec-fetch-site": "same-site" } });
    }
    expect(Number(await left())).toBe(before - 1);
  });

  test("a client without these headers needs a token; a cookie is refused", async () => {
    const office = await openOffice();
    const browser = await office.signIn("owner");
    const { token } = await office.issue("owner");
    const path = `https://petstore.test/manage/v1/accounts/${office.accountId}`;
    const send = (headers: Readonly<Record<string, string>>) =>
      office.ask(
        new Request(path, {
          method: "PATCH",
          body: JSON.stringify({ name: "Renamed" }),
          headers: { "content-type": "application/json", ...headers },
        }),
      );
    const cookie = `__Host-petstore=${browser.cookie()}`;
    expect((await send({ cookie })).status).toBe(403);
    expect((await send({ cookie, origin: "https://petstore.test" })).status).toBe(200);
    expect((await send({ authorization: `Bearer ${token}` })).status).toBe(200);
  });

  test("no answer allows another origin to read it", async () => {
    const office = await openOffice();
    const { api } = await office.signIn("owner");
    const reply = await api.get(ME, { headers: { origin: "https://evil.petstore.test" } });
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
    expect(reply.headers.get("vary")).toContain("Cookie");
  });
});

describe("without TLS", () => {
  test("a cookie is ignored, and none is set", async () => {
    const office = await openOffice();
    const { email, cookie } = await office.signIn("owner");
    const plain = office.browser({ origin: "http://petstore.test" });
    plain.plant(cookie());
    expect((await plain.api.get<Told>(ME)).body.code).toBe("missing_token");
    const refused = await plain.api.post<Told>(SESSIONS, { email, password: PASSWORD });
    expect([refused.status, refused.body.code]).toEqual([403, "https_required"]);
    expect(refused.headers.get("set-cookie")).toBeNull();
    expect((await plain.api.get("/manage/v1/sign-in")).body).toEqual({
      setUp: true,
      mail: true,
      allowed: false,
      reason: "https_required",
      passkeys: false,
      me: null,
    });
  });

  test("localhost may sign in", async () => {
    const office = await openOffice();
    const { email } = await office.signIn("owner");
    for (const origin of ["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"]) {
      const browser = office.browser({ origin });
      const body = { email, password: PASSWORD };
      expect([origin, (await browser.api.post(SESSIONS, body)).status]).toEqual([origin, 201]);
      expect([origin, (await browser.api.get(ME)).status]).toEqual([origin, 200]);
    }
  });
});

describe("a stolen session", () => {
  test("is refused after its owner signed out", async () => {
    const office = await openOffice();
    const owner = await office.signIn("owner");
    const thief = office.browser();
    thief.plant(owner.cookie());
    expect(await standing(thief)).toBe(200);
    const out = await owner.api.delete(`${SESSIONS}/current`);
    expect([out.status, owner.cookie()]).toEqual([204, undefined]);
    expect(await standing(thief)).toBe(401);
  });

  test("is refused after a password change, which keeps the owner's browser signed in", async () => {
    const office = await openOffice();
    const owner = await office.signIn("owner");
    const thief = office.browser();
    thief.plant(owner.cookie());
    const before = owner.cookie();
    const body = { current: PASSWORD, password: OTHER_PASSWORD };
    const changed = await owner.api.raw("PUT", "/manage/v1/me/password", {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    expect(changed.status).toBe(204);
    expect(owner.cookie()).not.toBe(before);
    expect([await standing(owner), await standing(thief)]).toEqual([200, 401]);
  });

  test("is refused after a reset and after its member was removed", async () => {
    const office = await openOffice();
    const [reset, removed] = [await office.signIn("staff"), await office.signIn("staff")];
    const browser = office.browser();
    const token = await linkFor(office, reset);
    await browser.api.post("/manage/v1/reset", { token, password: OTHER_PASSWORD });
    expect([await standing(browser), await standing(reset)]).toEqual([200, 401]);
    const path = `/manage/v1/accounts/${office.accountId}/members/${removed.memberId}`;
    expect((await office.as("owner").delete(path)).status).toBe(204);
    expect(await standing(removed)).toBe(401);
  });

  test("can be ended from the owner's other browser, alone or with all others", async () => {
    const office = await openOffice();
    const owner = await office.signIn("owner");
    const [one, two] = [office.browser({ userAgent: "One" }), office.browser()];
    for (const browser of [one, two]) {
      await browser.api.post(SESSIONS, { email: owner.email, password: PASSWORD });
    }
    const listed = await owner.api.get<readonly { id: string; userAgent: string }[]>(SESSIONS);
    expect(listed.body).toHaveLength(3);
    const stolen = listed.body.find(({ userAgent }) => userAgent === "One");
    expect((await owner.api.delete(`${SESSIONS}/${stolen?.id}`)).status).toBe(204);
    expect([await standing(one), await standing(two)]).toEqual([401, 200]);
    expect((await owner.api.delete(SESSIONS)).status).toBe(204);
    expect([await standing(two), await standing(owner)]).toEqual([401, 200]);
  });

  test("cannot change the password without knowing it", async () => {
    const office = await openOffice();
    const { api, email } = await office.signIn("owner");
    const change = (current: string) =>
      api.raw<Told>("PUT", "/manage/v1/me/password", {
        body: JSON.stringify({ current, password: OTHER_PASSWORD }),
        headers: { "content-type": "application/json" },
      });
    const codes: string[] = [];
    for (let count = 0; count < 7; count++) codes.push((await change("a guess")).body.code);
    expect(codes.slice(3)).toEqual([
      "invalid_credentials",
      "invalid_credentials",
      "rate_limited",
      "rate_limited",
    ]);
    const elsewhere = office.browser({ address: "203.0.113.1" });
    const body = { email, password: PASSWORD };
    expect((await elsewhere.api.post(SESSIONS, body)).status).toBe(201);
  });
});

test("guesses through a stolen session are counted together for all client addresses", async () => {
  const office = await openOffice();
  const owner = await office.signIn("owner");
  const codes: string[] = [];
  for (let count = 1; count <= 7; count++) {
    const thief = office.browser({ address: `203.0.113.${count}` });
    thief.plant(owner.cookie());
    const guess = await thief.api.raw<Told>("PUT", "/manage/v1/me/password", {
      body: JSON.stringify({ current: "a guess", password: OTHER_PASSWORD }),
      headers: { "content-type": "application/json" },
    });
    codes.push(guess.body.code);
  }
  expect(codes.slice(4)).toEqual(["invalid_credentials", "rate_limited", "rate_limited"]);
});

test("a password change that races a reset loses", async () => {
  const passwords = countedPasswords();
  let reset = async (): Promise<void> => undefined;
  const office = await openOffice({
    passwords: {
      ...passwords,
      hash: async (password) => {
        // The slow part, after the old password was verified.
        if (password === "thirteen sly foxes") await reset();
        return passwords.hash(password);
      },
    },
  });
  const owner = await office.signIn("staff");
  const token = await linkFor(office, owner);
  const browser = office.browser();
  reset = async () => {
    await browser.api.post("/manage/v1/reset", { token, password: OTHER_PASSWORD });
  };
  const stolen = await owner.api.raw<Told>("PUT", "/manage/v1/me/password", {
    body: JSON.stringify({ current: PASSWORD, password: "thirteen sly foxes" }),
    headers: { "content-type": "application/json" },
  });
  expect([stolen.status, stolen.body.code]).toEqual([401, "invalid_credentials"]);
  expect([await standing(browser), await standing(owner)]).toEqual([200, 401]);
});

test("password changes with the right password are limited too", async () => {
  const office = await openOffice();
  const { api } = await office.signIn("viewer");
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++) {
    const words = [PASSWORD, OTHER_PASSWORD];
    const [current, password] = count % 2 === 0 ? words : words.toReversed();
    const changed = await api.raw("PUT", "/manage/v1/me/password", {
      body: JSON.stringify({ current, password }),
      headers: { "content-type": "application/json" },
    });
    statuses.push(changed.status);
  }
  expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
});

test("malformed email addresses share one counter", async () => {
  const office = await openOffice();
  const statuses: number[] = [];
  for (let count = 0; count <= 100; count++) {
    const { api } = office.browser({ address: `203.0.113.${count}` });
    const email = `${count}${"x".repeat(900)}@example.org`;
    statuses.push((await api.post(SESSIONS, { email, password: PASSWORD })).status);
  }
  expect(statuses.slice(99)).toEqual([401, 429]);
});

describe("a reset link", () => {
  test("works once, and a newer link replaces it", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    const older = await linkFor(office, member);
    const newer = await linkFor(office, member);
    const use = async (token: string) => {
      const body = { token, password: OTHER_PASSWORD };
      const reply = await office.browser().api.post<Told>("/manage/v1/reset", body);
      return reply.status === 201 ? 201 : reply.body.code;
    };
    expect(await use(older)).toBe("invalid_reset_token");
    expect(await use(forged(newer))).toBe("invalid_reset_token");
    expect(await use(newer)).toBe(201);
    expect(await use(newer)).toBe("invalid_reset_token");
  });

  test("works once for ten simultaneous uses", async () => {
    const office = await openOffice();
    const token = await linkFor(office, await office.signIn("staff"));
    const body = { token, password: OTHER_PASSWORD };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => office.browser().api.post("/manage/v1/reset", body)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test("expires after a day, and a refused password does not spend it", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    const token = await linkFor(office, member);
    const use = async (sent: string, password: string) =>
      (await office.browser().api.post("/manage/v1/reset", { token: sent, password })).status;
    expect(await use(token, "password1234")).toBe(400);
    office.clock.advance(24 * 3_600_000 - 1);
    expect(await use(token, OTHER_PASSWORD)).toBe(201);
    const late = await linkFor(office, member);
    office.clock.advance(24 * 3_600_000);
    expect(await use(late, OTHER_PASSWORD)).toBe(401);
  });

  test("ends with its member, the account or a password change", async () => {
    const office = await openOffice();
    const [removed, changed, lost] = [
      await office.signIn("staff"),
      await office.signIn("staff"),
      await office.signIn("staff"),
    ];
    const tokens = [
      await linkFor(office, removed),
      await linkFor(office, changed),
      await linkFor(office, lost),
    ];
    const account = `/manage/v1/accounts/${office.accountId}`;
    await office.as("owner").delete(`${account}/members/${removed.memberId}`);
    await changed.api.raw("PUT", "/manage/v1/me/password", {
      body: JSON.stringify({ current: PASSWORD, password: OTHER_PASSWORD }),
      headers: { "content-type": "application/json" },
    });
    await office.as("operator").delete(account);
    for (const token of tokens) {
      const body = { token, password: OTHER_PASSWORD };
      expect((await office.browser().api.post("/manage/v1/reset", body)).status).toBe(401);
    }
  });
});

describe("a cookie", () => {
  const watched = async () => {
    let reads = 0;
    const office = await openOffice({
      memberStore: (store): MemberStore => ({
        ...store,
        session: (id) => {
          reads++;
          return store.session(id);
        },
      }),
    });
    return { office, reads: () => reads };
  };

  test("with a wrong checksum causes no storage call", async () => {
    const { office, reads } = await watched();
    const browser = await office.signIn("viewer");
    const good = browser.cookie() ?? "";
    browser.plant(`${good.slice(0, -1)}${good.endsWith("x") ? "y" : "x"}`);
    expect((await browser.api.get<Told>(ME)).body.code).toBe("invalid_session");
    browser.plant(good.replace("session", "manage"));
    expect((await browser.api.get<Told>(ME)).body.code).toBe("invalid_session");
    expect(reads()).toBe(0);
    browser.plant(good);
    expect(await standing(browser)).toBe(200);
    expect(reads()).toBe(1);
  });

  test("with a wrong secret is invalid; a valid one counts beside others and in a large header", async () => {
    const { office, reads } = await watched();
    const browser = await office.signIn("viewer");
    const good = browser.cookie() ?? "";
    const send = async (cookie: string) =>
      (await browser.api.get<Told>(ME, { headers: { cookie } })).body.code;
    expect(await send(`__Host-petstore=${forged(good)}`)).toBe("invalid_session");
    const others = `x=${"y".repeat(48_000)}; __Host-petstore=; __Host-petstore=${forged(good)}`;
    expect(await send(others)).toBe("invalid_session");
    expect(await send(`${others}; __Host-petstore=${good}; z=1`)).toBeUndefined();
    expect(await send(`__Host-petstore=${good}; ${others}`)).toBeUndefined();
    const before = reads();
    const guesses = Array.from({ length: 500 }, (_, index) =>
      forged(good, { secret: String(index).padStart(32, "0") }),
    );
    const many = guesses.map((guess) => `__Host-petstore=${guess}`).join("; ");
    expect(await send(many)).toBe("invalid_session");
    expect(reads() - before).toBeLessThanOrEqual(8);
    expect(await send(`petstore=${good}`)).toBe("missing_token");
  });

  test("is cached and trusted for a second without a notice", async () => {
    const { office, reads } = await watched();
    const browser = await office.signIn("viewer");
    for (let count = 0; count < 5; count++) await standing(browser);
    expect(reads()).toBe(1);
    office.clock.advance(1_000);
    await standing(browser);
    expect(reads()).toBe(2);
  });
});

describe("in another process on the same database", () => {
  test("an ended session is refused within a second", async () => {
    const office = await openOffice();
    const owner = await office.signIn("owner");
    const { store, memberStore, clock } = office;
    const other = createMembers({
      store,
      memberStore,
      passwords: countedPasswords(),
      resetAddress: "https://petstore.test/reset",
      encryptionKey: new Uint8Array(32).fill(7),
      clock,
    });
    const header = `__Host-petstore=${owner.cookie()}`;
    const there = async () => (await other.sessions.identify(header, clock.now())).ok;
    await other.jobs.tick();
    expect(await there()).toBe(true);
    await owner.api.delete(`${SESSIONS}/current`);
    await other.jobs.tick();
    expect(await there()).toBe(false);
  });

  test("a session used there does not count as idle here", async () => {
    const office = await openOffice();
    const owner = await office.signIn("owner");
    expect(await standing(owner)).toBe(200);
    const uses = [{ sessionId: owner.sessionId, at: office.clock.now() + 6 * 86_400_000 }];
    await office.memberStore.commit([{ kind: "session.use", uses }], system);
    office.clock.advance(8 * 86_400_000);
    expect(await standing(owner)).toBe(200);
  });
});
