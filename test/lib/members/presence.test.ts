import { describe, expect, test } from "bun:test";

import type { PasskeyView } from "../../../lib/members/schemas.ts";
import {
  openOffice,
  PASSWORD,
  type Office,
  type SignedInBrowser,
} from "../../helpers/management.ts";
import { everyEndpoint } from "../../helpers/every-endpoint.ts";
import { saidPasskeys } from "../../helpers/members.ts";

interface Told {
  readonly code: string;
  readonly challenge: string;
}

const PASSKEYS = "/manage/v1/passkeys";
const PROOF = "/manage/v1/me/proof";
const MINUTES_15 = 900_000;
const OTHER_PASSWORD = "nine shy hedgehogs sleep";

type Caller = Pick<SignedInBrowser, "api">;

/** Starts to add a passkey: a sensitive action without an effect. Returns the result. */
async function begin({ api }: Caller): Promise<number | string> {
  const reply = await api.post<Told>(`${PASSKEYS}/options`);
  return reply.status === 200 ? 200 : reply.body.code;
}

async function challengeOf({ api }: Caller, path = `${PASSKEYS}/options`): Promise<string> {
  return (await api.post<Told>(path)).body.challenge;
}

/** Proves the identity with a password and returns the result. */
async function prove({ api }: Caller, password = PASSWORD): Promise<number | string> {
  const reply = await api.post<Told>(PROOF, { password });
  return reply.status === 204 ? 204 : reply.body.code;
}

/** Proves the identity with a passkey's response and returns the result. */
async function answer({ api }: Caller, response: object): Promise<number | string> {
  const reply = await api.post<Told>(`${PROOF}/passkey`, { response });
  return reply.status === 204 ? 204 : reply.body.code;
}

/** Adds a passkey from a device's response and returns the result. */
async function add({ api }: Caller, response: object): Promise<number | string> {
  const reply = await api.post<Told>(PASSKEYS, { name: "Phone", response });
  return reply.status === 201 ? 201 : reply.body.code;
}

async function count({ api }: Caller): Promise<number> {
  return (await api.get<readonly PasskeyView[]>(PASSKEYS)).body.length;
}

/** Returns the token of a password link for the member. */
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

describe("a sensitive operation", () => {
  test("grants access, removes access, issues a credential or sends events elsewhere", () => {
    const sensitive = everyEndpoint
      .filter(({ access }) => access.kind !== "anyone" && access.sensitive === true)
      .map(({ operationId }) => operationId);
    expect(sensitive.toSorted()).toEqual([
      "beginPasskey",
      "createAccountMember",
      "createAccountMemberResetLink",
      "createAccountToken",
      "createMember",
      "createMemberResetLink",
      "createSetupLink",
      "createSystemWebhook",
      "createToken",
      "createWebhook",
      "deleteAccount",
      "exportCertificate",
      "removeAccountMember",
      "removeMember",
      "replaceCertificateAccount",
      "revokeCertificate",
      "revokeHostCertificate",
      "rolloverCertificateAccount",
      "rotateSystemWebhook",
      "rotateWebhook",
      "updateAccountMember",
      "updateSystemWebhook",
      "updateWebhook",
    ]);
  });

  test("needs no proof within fifteen minutes of signing in", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    office.clock.advance(MINUTES_15);
    expect(await begin(member)).toBe(200);
  });

  test("is refused after that, whatever the use of the session, and has no effect", async () => {
    const office = await openOffice();
    const owner = await office.signIn("owner");
    for (let minute = 0; minute < 15; minute++) {
      office.clock.advance(60_000);
      await owner.api.get("/manage/v1/me");
    }
    office.clock.advance(1);
    const people = `/manage/v1/accounts/${office.accountId}/members`;
    const reply = await owner.api.post<Told>(people, { email: "x@x.org", role: "owner" });
    expect([reply.status, reply.body.code]).toEqual([403, "proof_required"]);
    expect(reply.text).not.toContain("pet_reset_");
    expect((await owner.api.get<readonly unknown[]>(people)).body).toHaveLength(1);
    await prove(owner);
    expect((await owner.api.post(people, { email: "x@x.org", role: "owner" })).status).toBe(201);
  });

  test("checks the role first, and is 404 for other accounts' resources", async () => {
    const office = await openOffice();
    const [staff, owner] = [await office.signIn("staff"), await office.signIn("owner")];
    const { body: other } = await office
      .as("operator")
      .post<{ id: string }>("/manage/v1/accounts", { name: "Foxes" });
    office.clock.advance(MINUTES_15 + 1);
    const tokens = (id: string) => `/manage/v1/accounts/${id}/tokens`;
    const body = { role: "viewer" };
    const codes = [
      (await staff.api.post<Told>(tokens(office.accountId), body)).body.code,
      (await owner.api.post<Told>(tokens(other.id), body)).body.code,
      (await owner.api.post<Told>(tokens(office.accountId), body)).body.code,
    ];
    expect(codes).toEqual(["insufficient_role", "not_found", "proof_required"]);
  });

  test("needs no proof from tokens and from the host", async () => {
    const office = await openOffice();
    const { token } = await office.issue("owner");
    office.clock.advance(MINUTES_15 + 1);
    const path = `/manage/v1/accounts/${office.accountId}/tokens`;
    const browser = office.browser();
    const reply = await browser.api.raw("POST", path, {
      body: JSON.stringify({ role: "viewer" }),
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    });
    expect(reply.status).toBe(201);
    expect((await office.as("owner").post(path, { role: "viewer" })).status).toBe(201);
  });
});

describe("a proof", () => {
  test("by password is valid for fifteen minutes", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    office.clock.advance(MINUTES_15 + 1);
    expect([await begin(member), await prove(member)]).toEqual(["proof_required", 204]);
    office.clock.advance(MINUTES_15);
    expect(await begin(member)).toBe(200);
    office.clock.advance(1);
    expect(await begin(member)).toBe("proof_required");
  });

  test("is invalid when the clock is set back, as is a sign-in", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    const other = await office.signIn("staff");
    await prove(member);
    office.clock.advance(-MINUTES_15);
    expect([await begin(member), await begin(other)]).toEqual([200, 200]);
    office.clock.advance(-1);
    expect([await begin(member), await begin(other)]).toEqual(["proof_required", "proof_required"]);
  });

  test("is set as a cookie that no page can read, and is not stored", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    const reply = await member.api.post(PROOF, { password: PASSWORD });
    expect(reply.headers.get("set-cookie")).toMatch(
      /^__Host-petstore-proof=\d+\.[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=900$/,
    );
    expect([reply.headers.get("cache-control"), reply.text]).toEqual(["no-store", ""]);
  });

  test("is valid in its browser only, not for a session stolen before", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    office.clock.advance(MINUTES_15 + 1);
    const thief = office.browser();
    thief.plant(member.cookie());
    await prove(member);
    expect([await begin(thief), await begin(member)]).toEqual(["proof_required", 200]);
  });

  test("of another session or member, or forged, is invalid", async () => {
    const office = await openOffice();
    const [member, other] = [await office.signIn("staff"), await office.signIn("owner")];
    office.clock.advance(MINUTES_15 + 1);
    const again = office.browser();
    await again.api.post("/manage/v1/sessions", { email: member.email, password: PASSWORD });
    for (const browser of [again, other, member]) expect(await prove(browser)).toBe(204);
    const own = member.proof() ?? "";
    const later = own.replace(/^\d+/, (at) => String(Number(at) + MINUTES_15));
    for (const proof of [
      again.proof(),
      other.proof(),
      later,
      `0${own}`,
      own.slice(0, -1),
      `${own}A`,
      own.split(".", 1)[0],
      "",
      "NaN.",
      "9".repeat(400),
    ]) {
      member.plantProof(proof);
      expect([proof, await begin(member)]).toEqual([proof, "proof_required"]);
    }
    member.plantProof(`${again.proof()}; __Host-petstore-proof=${later}`);
    expect(await begin(member)).toBe("proof_required");
    member.plantProof(`${later}; __Host-petstore-proof=${own}`);
    expect(await begin(member)).toBe(200);
  });

  test("cannot be guessed: wrong passwords are counted with those of changing it", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    office.clock.advance(MINUTES_15 + 1);
    for (const guess of ["a guess", "", "seven brave otters"]) {
      expect(await prove(member, guess)).toBe("invalid_credentials");
    }
    await changePassword(member, "a guess", OTHER_PASSWORD);
    const thief = office.browser({ address: "203.0.113.1" });
    thief.plant(member.cookie());
    const codes = [await prove(thief, "a guess"), await prove(thief)];
    expect(codes).toEqual(["invalid_credentials", "rate_limited"]);
    const changed = await changePassword(member, PASSWORD, OTHER_PASSWORD);
    expect([changed.status, changed.body.code]).toEqual([429, "rate_limited"]);
    expect([await begin(member), thief.proof()]).toEqual(["proof_required", undefined]);
  });

  test("is not needed after signing in again or changing the password", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    office.clock.advance(MINUTES_15 + 1);
    const again = office.browser();
    await again.api.post("/manage/v1/sessions", { email: member.email, password: PASSWORD });
    expect([await begin(member), await begin(again)]).toEqual(["proof_required", 200]);
    expect((await changePassword(member, PASSWORD, OTHER_PASSWORD)).status).toBe(204);
    expect(await begin(member)).toBe(200);
  });

  test("ends with its session", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    office.clock.advance(MINUTES_15 + 1);
    await prove(member);
    const proof = member.proof();
    await member.api.delete("/manage/v1/sessions/current");
    await member.api.post("/manage/v1/sessions", { email: member.email, password: PASSWORD });
    office.clock.advance(MINUTES_15 + 1);
    member.plantProof(proof);
    expect(await begin(member)).toBe("proof_required");
  });

  test("is accepted from pages of this origin only, and not with a token", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    const json = { "content-type": "application/json" };
    const send = (headers: Readonly<Record<string, string>>) =>
      member.api.raw<Told>("POST", PROOF, {
        body: JSON.stringify({ password: PASSWORD }),
        headers: { ...json, ...headers },
      });
    const foreign = await send({ "sec-fetch-site": "same-site" });
    const { token } = await office.issue("owner");
    const machine = await send({ authorization: `Bearer ${token}` });
    expect([foreign.body.code, machine.body.code]).toEqual([
      "cross_site_request",
      "session_required",
    ]);
    expect(member.proof()).toBeUndefined();
  });
});

describe("a proof by a passkey", () => {
  const OPTIONS = `${PROOF}/passkey/options`;

  /** Returns a member with a passkey who signed in too long ago. */
  async function withPasskey(office: Office, id: string): Promise<SignedInBrowser> {
    const member = await office.signIn("staff");
    await add(member, { id, challenge: await challengeOf(member) });
    office.clock.advance(MINUTES_15 + 1);
    return member;
  }

  test("is as valid as one by password", async () => {
    const office = await openOffice();
    const member = await withPasskey(office, "mine");
    const challenge = await challengeOf(member, OPTIONS);
    expect(await answer(member, { id: "mine", challenge, counter: 1 })).toBe(204);
    expect(await begin(member)).toBe(200);
  });

  test("must be one of the member's own", async () => {
    const office = await openOffice();
    const other = await withPasskey(office, "other");
    const member = await withPasskey(office, "mine");
    for (const id of ["other", "unknown", undefined]) {
      const challenge = await challengeOf(member, OPTIONS);
      expect(await answer(member, { id, challenge, counter: 1 })).toBe("invalid_passkey");
    }
    expect(await begin(member)).toBe("proof_required");
    const challenge = await challengeOf(other, OPTIONS);
    expect(await answer(other, { id: "other", challenge, counter: 1 })).toBe(204);
  });

  test("cannot begin without a passkey: the browser would offer others' passkeys", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    const reply = await member.api.post<Told>(OPTIONS);
    expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
  });

  test("is valid once, in its session, for its purpose and for five minutes", async () => {
    const office = await openOffice();
    const member = await withPasskey(office, "mine");
    const again = office.browser();
    await again.api.post("/manage/v1/sessions", { email: member.email, password: PASSWORD });
    const said = { id: "mine", counter: 1 };
    const theirs = await challengeOf(again, OPTIONS);
    expect(await answer(member, { ...said, challenge: theirs })).toBe("invalid_passkey");
    const elsewhere = await challengeOf(again, "/manage/v1/sessions/passkey/options");
    expect(await answer(member, { ...said, challenge: elsewhere })).toBe("invalid_passkey");
    const challenge = await challengeOf(member, OPTIONS);
    const signIn = { response: { ...said, challenge } };
    const reply = await again.api.post<Told>("/manage/v1/sessions/passkey", signIn);
    expect(reply.body.code).toBe("invalid_passkey");
    expect(await answer(member, { ...said, challenge })).toBe(204);
    expect(await answer(member, { ...said, counter: 2, challenge })).toBe("invalid_passkey");
    const late = await challengeOf(member, OPTIONS);
    office.clock.advance(300_000);
    expect(await answer(member, { ...said, counter: 3, challenge: late })).toBe("invalid_passkey");
  });
});

describe("passkeys", () => {
  test("are added once for each challenge, by its session, within five minutes", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    office.clock.advance(MINUTES_15 + 1);
    await prove(member);
    const challenge = await challengeOf(member);
    expect(await add(member, { id: "one", challenge })).toBe(201);
    expect(await add(member, { id: "two", challenge })).toBe("invalid_passkey");
    const [{ id } = { id: "" }] = (await member.api.get<readonly PasskeyView[]>(PASSKEYS)).body;
    await member.api.delete(`${PASSKEYS}/${id}`);
    expect(await add(member, { id: "one", challenge })).toBe("invalid_passkey");
    const other = office.browser();
    await other.api.post("/manage/v1/sessions", { email: member.email, password: PASSWORD });
    const theirs = await challengeOf(other);
    expect(await add(member, { id: "three", challenge: theirs })).toBe("invalid_passkey");
    const late = await challengeOf(member);
    office.clock.advance(300_000);
    expect(await add(member, { id: "four", challenge: late })).toBe("invalid_passkey");
    expect(await count(member)).toBe(0);
  });

  test("are removed by a reset, for its member only", async () => {
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

  test("stay after a password change", async () => {
    const office = await openOffice();
    const member = await office.signIn("staff");
    await add(member, { id: "mine", challenge: await challengeOf(member) });
    await changePassword(member, PASSWORD, OTHER_PASSWORD);
    expect(await count(member)).toBe(1);
  });

  test("cannot be added by a session that a reset has ended", async () => {
    let reset = async (): Promise<void> => undefined;
    const office = await openOffice({
      passkeys: {
        ...saidPasskeys,
        created: async (proof) => {
          // The slow part, after the session was checked.
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
