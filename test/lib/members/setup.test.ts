import { describe, expect, test } from "bun:test";

import { createMembers } from "../../../lib/members/create-members.ts";
import { forged } from "../../helpers/forged.ts";
import { openOffice, PASSWORD, type Office } from "../../helpers/management.ts";
import { countedPasswords } from "../../helpers/members.ts";

interface Told {
  readonly code: string;
}

const SETUP = "/manage/v1/setup/member";

async function offered(office: Office): Promise<string> {
  const { body } = await office.as("operator").post<{ url: string }>("/manage/v1/setup-links");
  return new URL(body.url).hash.slice(1);
}

async function setUp(office: Office, body: object): Promise<number | string> {
  const given = { email: "ada@example.org", password: PASSWORD, ...body };
  const reply = await office.browser().api.post<Told>(SETUP, given);
  return reply.status === 201 ? 201 : reply.body.code;
}

describe("the setup link", () => {
  test("creates the first operator and signs them in, once", async () => {
    const office = await openOffice();
    const token = await offered(office);
    const browser = office.browser();
    const before = await browser.api.get("/manage/v1/sign-in");
    expect(before.body).toMatchObject({ setUp: false });
    const body = { token, email: "Ada@Example.org", name: " Ada ", password: PASSWORD };
    const reply = await browser.api.post(SETUP, body);
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      role: "operator",
      name: "Ada",
      member: { email: "ada@example.org", name: "Ada" },
    });
    expect((await browser.api.get("/manage/v1/members")).body).toMatchObject([
      { status: "active" },
    ]);
    const after = await browser.api.get("/manage/v1/sign-in");
    expect(after.body).toMatchObject({ setUp: true });
    expect(await setUp(office, { token, email: "b@example.org" })).toBe("invalid_setup_token");
    const claimed = await browser.api.post<Told>("/manage/v1/setup", { token });
    expect(claimed.body.code).toBe("invalid_setup_token");
  });

  test("is not spent by a refused request", async () => {
    const office = await openOffice();
    await setUp(office, { token: await offered(office), email: "known@example.org" });
    const token = await offered(office);
    expect(await setUp(office, { token: forged(token) })).toBe("invalid_setup_token");
    expect(await setUp(office, { token, email: "ada" })).toBe("invalid_value");
    expect(await setUp(office, { token, name: "\u0007" })).toBe("invalid_value");
    expect(await setUp(office, { token, password: "short" })).toBe("weak_password");
    expect(await setUp(office, { token, password: "ada@example.org" })).toBe("weak_password");
    expect(await setUp(office, { token, email: "KNOWN@example.org" })).toBe("member_exists");
    expect(await setUp(office, { token })).toBe(201);
  });

  test("works once for ten simultaneous uses", async () => {
    const office = await openOffice();
    const token = await offered(office);
    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, who) => setUp(office, { token, email: `${who}@example.org` })),
    );
    expect(codes.filter((code) => code === 201)).toHaveLength(1);
    expect((await office.as("operator").get("/manage/v1/members")).body).toHaveLength(1);
  });

  test("expires after 30 minutes", async () => {
    const office = await openOffice();
    const token = await offered(office);
    office.clock.advance(30 * 60_000);
    expect(await setUp(office, { token })).toBe("invalid_setup_token");
  });

  test("causes no hashing when it is invalid", async () => {
    const passwords = countedPasswords();
    let hashed = 0;
    const office = await openOffice({
      passwords: {
        ...passwords,
        hash: (password) => {
          hashed++;
          return passwords.hash(password);
        },
      },
    });
    expect(await setUp(office, { token: "pet_setup_nonsense" })).toBe("invalid_setup_token");
    expect(hashed).toBe(0);
  });
});

describe("an operator created without a link", () => {
  const someone = { email: "Ada@Example.org", password: PASSWORD };

  test("can sign in, and stays unchanged the next time", async () => {
    const { members, memberStore } = await openOffice();
    expect(await members.ensureOperator(someone)).toEqual({ ok: true, value: "created" });
    const made = await memberStore.byEmail("ada@example.org");
    expect(made).toMatchObject({ role: "operator" });
    const again = { ...someone, password: "nine shy hedgehogs sleep", name: "Mallory" };
    expect(await members.ensureOperator(again)).toEqual({ ok: true, value: "exists" });
    expect(await memberStore.byEmail("ada@example.org")).toEqual(made);
  });

  test("needs a valid email address and an allowed password", async () => {
    const { members } = await openOffice();
    const codeOf = async (input: Parameters<typeof members.ensureOperator>[0]) => {
      const made = await members.ensureOperator(input);
      return made.ok ? made.value : made.failure.code;
    };
    expect(await codeOf({ ...someone, email: "ada" })).toBe("invalid_value");
    expect(await codeOf({ ...someone, password: "password1234" })).toBe("weak_password");
  });
});

test("createMembers refuses an encryption key that is too short", async () => {
  const { store, memberStore } = await openOffice();
  const make = (bytes: number) =>
    createMembers({
      store,
      memberStore,
      passwords: countedPasswords(),
      resetAddress: "https://petstore.test/reset",
      encryptionKey: new Uint8Array(bytes),
    });
  expect(() => make(31)).toThrow(TypeError);
  expect(() => make(32)).not.toThrow();
});
