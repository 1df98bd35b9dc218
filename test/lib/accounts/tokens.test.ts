import { describe, expect, test } from "bun:test";

import { forActors, system } from "../../../lib/model/actor.ts";
import { createManagement } from "../../../lib/management/create-management.ts";
import { sqlTokenStore } from "../../../lib/accounts/storage/sql-token-store.ts";
import { parseCredential } from "../../../lib/model/credential.ts";
import { api, type Api } from "../../helpers/api.ts";
import { forged } from "../../helpers/forged.ts";
import { BASE, openOffice, type Office } from "../../helpers/management.ts";

interface Token {
  readonly id: string;
  readonly token: string;
  readonly status: string;
  readonly lastUsedAt?: string;
  readonly code?: string;
}

const DAY_MS = 86_400_000;

function remote({ management }: Pick<Office, "management">, token?: string): Api {
  return api({
    fetch: (request) => Promise.resolve(management.fetch(request)),
    base: BASE,
    key: token,
  });
}

const tokensOf = (office: Office) => `/manage/v1/accounts/${office.accountId}/tokens`;

/** The response to a token's request: a status and perhaps a code. */
async function standing(office: Pick<Office, "management">, token: string) {
  const { status, body } = await remote(office, token).get<Token>("/manage/v1/me");
  return status === 200 ? 200 : body.code;
}

/** Returns a second management API over the same database, as in another process. */
async function neighbour({ sql, store, clock, petstore }: Office) {
  return {
    management: createManagement({
      store,
      tokenStore: await sqlTokenStore({ sql, clock }),
      client: petstore.client,
      projects: forActors(() => new Proxy({} as never, {})),
      addressOf: (slug) => slug,
      setupAddress: "https://petstore.test/setup",
      encryptionKey: new Uint8Array(32).fill(7),
      clock,
    }),
  };
}

describe("a management token", () => {
  test("identifies its holder, and works only as a whole", async () => {
    const office = await openOffice();
    const { token, id } = await office.issue("staff");
    expect(token).toMatch(/^pet_manage_[0-9A-Za-z]{10}_[0-9A-Za-z]{38}$/);
    expect(parseCredential(token)?.id).toBe(id);
    const me = await remote(office, token).get("/manage/v1/me");
    expect(me.body).toEqual({ role: "staff", accountId: office.accountId, name: `token ${id}` });
    for (const wrong of [token.slice(0, -1), `${token}0`, token.toUpperCase(), `\t${token}`, ""]) {
      expect(await standing(office, wrong)).toBe("invalid_token");
    }
    const shown = await office.as("owner").get(tokensOf(office));
    expect(shown.text).not.toContain(token.slice(-38, -6));
    expect(shown.text).not.toContain("hash");
  });

  test("with another secret is invalid, although id and checksum are right", async () => {
    const office = await openOffice();
    const { token } = await office.issue("operator");
    expect(parseCredential(forged(token))?.id).toBe(parseCredential(token)?.id);
    expect(await standing(office, forged(token))).toBe("invalid_token");
    expect(await standing(office, token)).toBe(200);
    expect(await standing(office, forged(token))).toBe("invalid_token");
  });

  test("has a name without control characters, or none", async () => {
    const office = await openOffice();
    const named = async (name: string) => {
      const reply = await office.as("owner").post<Token>(tokensOf(office), { role: "staff", name });
      return reply.body.code ?? reply.status;
    };
    expect(await named("a\u0007b")).toBe("invalid_value");
    expect(await named("a".repeat(121))).toBe("invalid_value");
    expect(await named("")).toBe(201);
  });

  test("is not an API key, and an API key is not a management token", async () => {
    const office = await openOffice();
    const { token } = await office.issue("operator");
    const asKey = await office.petstore.fetch(
      new Request(`${BASE}/v1/pets`, { headers: { authorization: `Bearer ${token}` } }),
    );
    expect(asKey.status).toBe(401);
    const key = await office
      .as("owner")
      .post<{ key: string }>(`/manage/v1/accounts/${office.accountId}/keys`);
    expect(await standing(office, key.body.key)).toBe("invalid_token");
  });

  test("is refused after its revocation: here at once, elsewhere after the feed's notice", async () => {
    const office = await openOffice();
    const other = await neighbour(office);
    const { token, id } = await office.issue("owner");
    await other.management.jobs.tick();
    expect(await standing(office, token)).toBe(200);
    expect(await standing(other, token)).toBe(200);
    await office.as("owner").delete(`${tokensOf(office)}/${id}`);
    expect(await standing(office, token)).toBe("revoked_token");
    expect(await standing(other, token)).toBe(200);
    await other.management.jobs.tick();
    expect(await standing(other, token)).toBe("revoked_token");
  });

  test("that was revoked elsewhere is trusted for a second at most without a feed", async () => {
    const office = await openOffice();
    const other = await neighbour(office);
    const { token, id } = await office.issue("owner");
    expect(await standing(other, token)).toBe(200);
    await office.as("owner").delete(`${tokensOf(office)}/${id}`);
    await office.clock.advance(999);
    expect(await standing(other, token)).toBe(200);
    await office.clock.advance(1);
    expect(await standing(other, token)).toBe("revoked_token");
  });

  test("ends when it expires or its account is deleted, and not before", async () => {
    const office = await openOffice();
    const issued = await office
      .as("owner")
      .post<Token>(tokensOf(office), { role: "viewer", expiresInMs: 5_000 });
    await office.clock.advance(4_999);
    expect(await standing(office, issued.body.token)).toBe(200);
    await office.clock.advance(1);
    expect(await standing(office, issued.body.token)).toBe("expired_token");
    // The first read of the feed clears the cache.
    await office.management.jobs.tick();
    const { token } = await office.issue("viewer");
    await office.management.jobs.tick();
    expect(await standing(office, token)).toBe(200);
    await office.as("operator").delete(`/manage/v1/accounts/${office.accountId}`);
    await office.management.jobs.tick();
    expect(await standing(office, token)).toBe("invalid_token");
  });

  test("has at most its creator's role, and its creator's account", async () => {
    const office = await openOffice();
    const make = async (by: Api, body: unknown, path = tokensOf(office)) => {
      const reply = await by.post<Token>(path, body);
      return reply.status === 201 ? 201 : reply.body.code;
    };
    expect(await make(office.as("owner"), { role: "owner" })).toBe(201);
    expect(await make(office.as("owner"), { role: "operator" })).toBe("invalid_value");
    expect(await make(office.as("staff"), { role: "viewer" })).toBe("insufficient_role");
    expect(await make(office.as("owner"), {}, "/manage/v1/tokens")).toBe("insufficient_role");
    expect(await make(office.as("operator"), { role: "owner" })).toBe(201);
  });

  test("of an operator is not listed or revoked among an account's, nor the reverse", async () => {
    const office = await openOffice();
    const operators = await office.issue("operator");
    const members = await office.issue("owner");
    const operator = office.as("operator");
    expect((await operator.delete(`${tokensOf(office)}/${operators.id}`)).status).toBe(404);
    expect((await operator.delete(`/manage/v1/tokens/${members.id}`)).status).toBe(404);
    const ids = async (path: string) =>
      (await operator.get<readonly Token[]>(path)).body.map(({ id }) => id);
    expect(await ids("/manage/v1/tokens")).toEqual([operators.id]);
    expect(await ids(tokensOf(office))).toEqual([members.id]);
  });

  test("is one of at most a hundred active ones of an account, or of the operators", async () => {
    const office = await openOffice();
    for (let count = 0; count < 100; count++) await office.issue("viewer");
    const over = await office.as("owner").post<Token>(tokensOf(office), { role: "viewer" });
    expect([over.status, over.body.code]).toEqual([409, "limit_reached"]);
    expect((await office.as("operator").post("/manage/v1/tokens")).status).toBe(201);
    const [newest] = (await office.as("owner").get<readonly Token[]>(tokensOf(office))).body;
    await office.as("owner").delete(`${tokensOf(office)}/${newest?.id}`);
    expect((await office.as("owner").post(tokensOf(office), { role: "viewer" })).status).toBe(201);
  });

  test("has a last use, saved once a minute and at the end", async () => {
    const office = await openOffice();
    // The first one runs everything.
    await office.management.jobs.tick();
    const { token } = await office.issue("viewer");
    const lastUsed = async () =>
      (await office.as("owner").get<readonly Token[]>(tokensOf(office))).body[0]?.lastUsedAt;
    await standing(office, token);
    await office.clock.advance(59_999);
    await office.management.jobs.tick();
    expect(await lastUsed()).toBeUndefined();
    await office.clock.advance(1);
    await office.management.jobs.tick();
    expect(await lastUsed()).toBe("2026-11-18T00:00:00.000Z");
    await standing(office, token);
    await office.management.close();
    expect(await lastUsed()).toBe("2026-11-18T00:01:00.000Z");
  });

  test("that ended is listed for 90 days", async () => {
    const office = await openOffice();
    const { id } = await office.issue("viewer");
    const owner = office.as("owner");
    await owner.delete(`${tokensOf(office)}/${id}`);
    const statuses = async () =>
      (await owner.get<readonly Token[]>(tokensOf(office))).body.map(({ status }) => status);
    await office.clock.advance(90 * DAY_MS);
    await office.management.jobs.tick();
    expect(await statuses()).toEqual(["revoked"]);
    await office.clock.advance(3_600_000);
    await office.management.jobs.tick();
    expect(await statuses()).toEqual([]);
  });

  test("with a wrong checksum causes no storage call", async () => {
    let looks = 0;
    const office = await openOffice({
      store: (store) => ({
        ...store,
        accounts: {
          ...store.accounts,
          byId: (id) => {
            looks++;
            return store.accounts.byId(id);
          },
        },
      }),
    });
    const { token } = await office.issue("viewer");
    looks = 0;
    await standing(office, `${token.slice(0, -1)}${token.endsWith("x") ? "y" : "x"}`);
    expect(looks).toBe(0);
    await standing(office, token);
    expect(looks).toBeGreaterThan(0);
  });
});

describe("a setup link", () => {
  interface Link {
    readonly url: string;
    readonly expiresAt: string;
  }
  const offered = async (office: Office): Promise<string> => {
    const { body } = await office.as("operator").post<Link>("/manage/v1/setup-links");
    return new URL(body.url).hash.slice(1);
  };
  const claim = async (office: Office, token: string, name?: string) =>
    remote(office).post<Token & { readonly role: string; readonly name: string }>(
      "/manage/v1/setup",
      name === undefined ? { token } : { token, name },
    );

  test("leads to an operator's token, once", async () => {
    const office = await openOffice();
    const { body } = await office.as("operator").post<Link>("/manage/v1/setup-links");
    expect(body.url).toStartWith("http://petstore.test/setup#pet_setup_");
    expect(body.expiresAt).toBe("2026-11-18T00:30:00.000Z");
    const token = new URL(body.url).hash.slice(1);
    const claimed = await claim(office, token, " Ada ");
    expect([claimed.status, claimed.body.role, claimed.body.name]).toEqual([
      201,
      "operator",
      "Ada",
    ]);
    expect(await standing(office, claimed.body.token)).toBe(200);
    const again = await claim(office, token);
    expect([again.status, again.body.code]).toEqual([401, "invalid_setup_token"]);
  });

  test("works once for ten simultaneous claims", async () => {
    const office = await openOffice();
    const token = await offered(office);
    const replies = await Promise.all(Array.from({ length: 10 }, () => claim(office, token)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test("expires after 30 minutes, and when a newer one is created", async () => {
    const office = await openOffice();
    const first = await offered(office);
    const second = await offered(office);
    expect((await claim(office, first)).status).toBe(401);
    await office.clock.advance(30 * 60_000);
    expect((await claim(office, second)).status).toBe(401);
    const third = await offered(office);
    await office.clock.advance(30 * 60_000 - 1);
    expect((await claim(office, third)).status).toBe(201);
  });

  test("is the same on every process, and works once on any of them", async () => {
    const office = await openOffice();
    const other = await neighbour(office);
    const tokenOf = (link: { readonly url: string } | undefined): string =>
      new URL(link?.url ?? "").hash.slice(1);
    // Two that start at the same time.
    const links = await Promise.all([office.management.setupLink(), other.management.setupLink()]);
    expect(tokenOf(links[0])).toBe(tokenOf(links[1]));
    expect(links[0]?.expiresAt).toBe(office.clock.now() + 30 * 60_000);
    await office.clock.advance(25 * 60_000 - 1);
    expect(tokenOf(await other.management.setupLink())).toBe(tokenOf(links[0]));
    const [token] = links.map(tokenOf);
    // Too late to show it again.
    await office.clock.advance(1);
    const fresh = tokenOf(await other.management.setupLink());
    expect(fresh).not.toBe(token ?? "");
    expect((await claim(office, token ?? "")).status).toBe(401);

    const claims = await Promise.all(
      [office, other].map(({ management }) =>
        remote({ management }).post("/manage/v1/setup", { token: fresh }),
      ),
    );
    expect(claims.filter(({ status }) => status === 201)).toHaveLength(1);
    // One that an older version created, or another encryption key, cannot be shown again.
    const link = { id: "0123456789", hash: "0".repeat(64), expiresAt: office.clock.now() + DAY_MS };
    const tokenStore = await sqlTokenStore({ sql: office.sql, clock: office.clock });
    await tokenStore.commit([{ kind: "setup.offer", at: 0, link }], system);
    expect(await office.management.setupLink()).toBeUndefined();
  });

  test("is not spent by a wrong secret, name or body", async () => {
    const office = await openOffice();
    const token = await offered(office);
    expect((await claim(office, forged(token))).status).toBe(401);
    expect((await claim(office, "pet_setup_nonsense")).status).toBe(401);
    expect((await claim(office, token, "\u0007")).status).toBe(400);
    expect((await remote(office).post("/manage/v1/setup", { token, x: 1 })).status).toBe(400);
    expect((await claim(office, token)).status).toBe(201);
  });

  test("can be checked without being spent", async () => {
    const office = await openOffice();
    const token = await offered(office);
    const check = (sent: string) =>
      remote(office).post<Link & { readonly code: string }>("/manage/v1/setup/check", {
        token: sent,
      });
    const good = await check(token);
    expect([good.status, good.body]).toMatchObject([
      200,
      { expiresAt: "2026-11-18T00:30:00.000Z" },
    ]);
    const wrong = await check(forged(token));
    expect([wrong.status, wrong.body.code]).toEqual([401, "invalid_setup_token"]);
    expect((await claim(office, token)).status).toBe(201);
    expect((await check(token)).status).toBe(401);
  });

  test("does not reveal whether one exists", async () => {
    const [none, some] = [await openOffice(), await openOffice()];
    await offered(some);
    const foreign = await offered(await openOffice());
    expect((await claim(none, foreign)).text).toBe((await claim(some, foreign)).text);
  });
});

test("createManagement refuses an encryption key that is too short", async () => {
  const { store, sql, clock, petstore } = await openOffice();
  const tokenStore = await sqlTokenStore({ sql, clock });
  const make = (bytes: number) =>
    createManagement({
      store,
      tokenStore,
      client: petstore.client,
      projects: forActors(() => new Proxy({} as never, {})),
      addressOf: (slug) => slug,
      setupAddress: "https://petstore.test/setup",
      encryptionKey: new Uint8Array(bytes),
    });
  expect(() => make(31)).toThrow(TypeError);
  expect(() => make(32)).not.toThrow();
});
