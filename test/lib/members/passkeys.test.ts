import { describe, expect, test } from "bun:test";

import { passkeys } from "../../../adapters/passkeys.ts";
import { createAuthenticator, type Authenticator } from "../../helpers/authenticator.ts";
import { ORIGIN } from "../../helpers/browser-session.ts";
import { openOffice, type Office, type SignedInBrowser } from "../../helpers/management.ts";

interface Told {
  readonly code: string;
}
interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
}

const PASSKEYS = "/manage/v1/passkeys";
const SIGN_IN = "/manage/v1/sessions/passkey";
const PARTY = { rpId: "petstore.test", origin: ORIGIN };

const open = (): Promise<Office> => openOffice({ passkeys });

async function begin({ api }: Pick<SignedInBrowser, "api">): Promise<string> {
  return (await api.post<Options>(`${PASSKEYS}/options`)).body.challenge;
}

/** Adds a passkey and returns the result. */
async function add(
  browser: SignedInBrowser,
  authenticator: Authenticator,
  party = PARTY,
): Promise<number | string> {
  const response = authenticator.create({ challenge: await begin(browser), ...party });
  const reply = await browser.api.post<Told>(PASSKEYS, { name: "Phone", response });
  return reply.status === 201 ? 201 : reply.body.code;
}

async function challengeOf(office: Office): Promise<string> {
  const { api } = office.browser();
  return (await api.post<Options>(`${SIGN_IN}/options`)).body.challenge;
}

/** Signs in with a response and returns the result. */
async function signIn(office: Office, response: object): Promise<number | string> {
  const { api } = office.browser();
  const reply = await api.post<Told>(SIGN_IN, { response });
  return reply.status === 201 ? 201 : reply.body.code;
}

describe("a passkey", () => {
  test("signs its member in without an email address", async () => {
    const office = await open();
    const member = await office.signIn("staff");
    const authenticator = createAuthenticator();
    expect(await add(member, authenticator)).toBe(201);
    const browser = office.browser();
    const { body } = await browser.api.post<Options>(`${SIGN_IN}/options`);
    expect(body).toMatchObject({ rpId: "petstore.test", userVerification: "required" });
    expect(body).not.toHaveProperty("allowCredentials");
    const response = authenticator.get({ challenge: body.challenge, ...PARTY });
    const reply = await browser.api.post(SIGN_IN, { response });
    expect([reply.status, reply.body]).toMatchObject([201, { member: { id: member.memberId } }]);
    expect((await browser.api.get("/manage/v1/me")).status).toBe(200);
    const [listed] = (await member.api.get<readonly object[]>(PASSKEYS)).body;
    expect(listed).toEqual({
      id: expect.any(String),
      name: "Phone",
      createdAt: "2026-11-18T00:00:00.000Z",
      lastUsedAt: "2026-11-18T00:00:00.000Z",
    });
  });

  test("is requested as discoverable, and once for each device", async () => {
    const office = await open();
    const member = await office.signIn("staff");
    const authenticator = createAuthenticator();
    await add(member, authenticator);
    const { body } = await member.api.post<Options>(`${PASSKEYS}/options`);
    expect(body).toMatchObject({
      rp: { id: "petstore.test" },
      user: { name: member.email, displayName: member.email },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [{ id: authenticator.credentialId }],
    });
    expect(await add(member, authenticator)).toBe("invalid_passkey");
  });

  test("can use a challenge once", async () => {
    const office = await open();
    const member = await office.signIn("staff");
    const authenticator = createAuthenticator();
    const created = authenticator.create({ challenge: await begin(member), ...PARTY });
    const body = { name: "Phone", response: created };
    expect((await member.api.post(PASSKEYS, body)).status).toBe(201);
    expect((await member.api.post(PASSKEYS, body)).status).toBe(401);
    const answer = authenticator.get({ challenge: await challengeOf(office), ...PARTY });
    expect(await signIn(office, answer)).toBe(201);
    expect(await signIn(office, answer)).toBe("invalid_passkey");
  });

  test("must respond within five minutes", async () => {
    const office = await open();
    const member = await office.signIn("staff");
    const authenticator = createAuthenticator();
    await add(member, authenticator);
    const challenge = await challengeOf(office);
    office.clock.advance(300_000);
    const late = authenticator.get({ challenge, ...PARTY });
    expect(await signIn(office, late)).toBe("invalid_passkey");
  });

  test("that was copied is detected by its counter", async () => {
    const office = await open();
    const member = await office.signIn("staff");
    const authenticator = createAuthenticator();
    await add(member, authenticator);
    const use = async (counter: number) => {
      const challenge = await challengeOf(office);
      return signIn(office, authenticator.get({ challenge, ...PARTY }, { counter }));
    };
    expect(await use(7)).toBe(201);
    expect(await use(7)).toBe("invalid_passkey");
    expect(await use(6)).toBe("invalid_passkey");
    expect(await use(8)).toBe(201);
  });

  test("needs user verification", async () => {
    const office = await open();
    const member = await office.signIn("staff");
    const authenticator = createAuthenticator();
    const begun = { challenge: await begin(member), ...PARTY };
    const careless = { name: "Key", response: authenticator.create(begun, { unverified: true }) };
    expect((await member.api.post(PASSKEYS, careless)).status).toBe(401);
    await add(member, authenticator);
    const found = authenticator.get(
      { challenge: await challengeOf(office), ...PARTY },
      { unverified: true },
    );
    expect(await signIn(office, found)).toBe("invalid_passkey");
  });

  test("is invalid with another key, site or purpose", async () => {
    const office = await open();
    const member = await office.signIn("staff");
    const authenticator = createAuthenticator();
    await add(member, authenticator);
    const challenge = await challengeOf(office);
    const other = createAuthenticator();
    const options = { challenge, ...PARTY };
    const wrong: readonly (readonly [string, object])[] = [
      ["another key", authenticator.get(options, { wrongKey: true })],
      ["an unknown passkey", other.get(options)],
      [
        "a page of another origin",
        authenticator.get({ ...options, origin: "https://evil.example" }),
      ],
      ["a tenant's page", authenticator.get({ ...options, origin: "https://x.petstore.test" })],
      ["another site's name", authenticator.get({ ...options, rpId: "evil.example" })],
      ["another ceremony", authenticator.get(options, { type: "webauthn.create" })],
      ["an unknown challenge", authenticator.get({ ...options, challenge: "AAAA" })],
      [
        "one to add a passkey by",
        authenticator.get({ ...options, challenge: await begin(member) }),
      ],
      ["nothing", {}],
      ["a known id alone", { id: authenticator.credentialId }],
      ["rubbish", { id: authenticator.credentialId, rawId: 7, type: [], response: "x" }],
    ];
    for (const [what, response] of wrong) {
      expect([what, await signIn(office, response)]).toEqual([what, "invalid_passkey"]);
    }
    expect(await signIn(office, authenticator.get(options))).toBe(201);
  });

  test("is added only by the session that began it, and for this site", async () => {
    const office = await open();
    const [one, two] = [await office.signIn("staff"), await office.signIn("staff")];
    const authenticator = createAuthenticator();
    const response = authenticator.create({ challenge: await begin(one), ...PARTY });
    const stolen = await two.api.post<Told>(PASSKEYS, { name: "Theirs", response });
    expect(stolen.body.code).toBe("invalid_passkey");
    const elsewhere = { ...PARTY, origin: "https://x.petstore.test" };
    expect(await add(one, authenticator, elsewhere)).toBe("invalid_passkey");
    expect(await add(one, authenticator)).toBe(201);
  });

  test("can be removed by its owner only, and then no longer signs in", async () => {
    const office = await open();
    const [owner, other] = [await office.signIn("staff"), await office.signIn("owner")];
    const authenticator = createAuthenticator();
    await add(owner, authenticator);
    const [{ id } = { id: "" }] = (await owner.api.get<readonly { id: string }[]>(PASSKEYS)).body;
    expect((await other.api.delete(`${PASSKEYS}/${id}`)).status).toBe(404);
    expect((await owner.api.delete(`${PASSKEYS}/${id}`)).status).toBe(204);
    const answer = authenticator.get({ challenge: await challengeOf(office), ...PARTY });
    expect(await signIn(office, answer)).toBe("invalid_passkey");
  });

  test("has a name, and a member has at most twenty", async () => {
    const office = await open();
    const member = await office.signIn("staff");
    for (let count = 0; count < 20; count++) {
      expect(await add(member, createAuthenticator())).toBe(201);
    }
    const over = await member.api.post<Told>(`${PASSKEYS}/options`);
    expect([over.status, over.body.code]).toEqual([409, "limit_reached"]);
    const unnamed = await member.api.post<Told>(PASSKEYS, { name: " ", response: {} });
    expect(unnamed.body.code).toBe("invalid_value");
  });

  test("is not limited by wrong passwords", async () => {
    const office = await open();
    const member = await office.signIn("staff");
    const authenticator = createAuthenticator();
    await add(member, authenticator);
    const body = { email: member.email, password: "wrong" };
    const guess = async () => (await office.browser().api.post("/manage/v1/sessions", body)).status;
    for (let count = 0; count < 6; count++) await guess();
    expect(await guess()).toBe(429);
    const answer = authenticator.get({ challenge: await challengeOf(office), ...PARTY });
    expect(await signIn(office, answer)).toBe(201);
  });

  test("does not work at an IP address", async () => {
    const office = await open();
    const { email } = await office.signIn("staff");
    const browser = office.browser({ origin: "http://127.0.0.1:8080" });
    const signIn = await browser.api.get("/manage/v1/sign-in");
    expect(signIn.body).toMatchObject({ allowed: true, passkeys: false });
    expect((await browser.api.post<Told>(`${SIGN_IN}/options`)).status).toBe(404);
    await browser.api.post("/manage/v1/sessions", { email, password: "seven brave otters swim" });
    expect((await browser.api.post(`${PASSKEYS}/options`)).status).toBe(404);
  });
});
