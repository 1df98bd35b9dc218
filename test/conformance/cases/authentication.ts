import { expect } from "bun:test";

import { inAccount, type Case } from "../case.ts";
import { addPet, expectProblem } from "../expect.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Returns a well-formed token with another last character. */
function mistyped(token: string): string {
  return token.slice(0, -1) + (token.endsWith("A") ? "B" : "A");
}

export const authentication: readonly Case[] = [
  {
    id: "authentication.bearer",
    source: "spec: authentication 1",
    sentence: "the API key is sent as a bearer token in the Authorization header",
    run: inAccount(async ({ token }, env) => {
      const headers = { authorization: `Bearer ${token}` };
      expect((await env.anyone.raw("GET", "/v1/pets", { headers })).status).toBe(200);
    }),
  },
  {
    id: "authentication.scheme-case",
    source: "spec: authentication 1",
    sentence: "the scheme's name is case-insensitive",
    run: inAccount(async ({ token }, env) => {
      for (const scheme of ["bearer", "BEARER"]) {
        const headers = { authorization: `${scheme} ${token}` };
        expect((await env.anyone.raw("GET", "/v1/pets", { headers })).status).toBe(200);
      }
    }),
  },
  {
    id: "authentication.other-schemes",
    source: "spec: authentication 1",
    sentence: "a key under another scheme, in the query or without a scheme does not count",
    run: inAccount(async ({ token }, env) => {
      for (const authorization of [
        token,
        `Basic ${token}`,
        `Basic ${btoa(`${token}:`)}`,
        "Bearer",
      ]) {
        const reply = await env.anyone.raw("GET", "/v1/pets", { headers: { authorization } });
        expectProblem(reply, "invalid_api_key");
      }
      expectProblem(await env.anyone.get(`/v1/pets?api_key=${token}`), "missing_api_key");
      const headers = { "x-api-key": token };
      expectProblem(await env.anyone.get("/v1/pets", { headers }), "missing_api_key");
    }),
  },
  {
    id: "authentication.spaces",
    source: "spec: authentication 1",
    sentence: "the scheme is case-insensitive, and one or more spaces may follow it",
    run: inAccount(async ({ token }, env) => {
      for (const scheme of ["Bearer ", "bearer ", "BEARER  ", "Bearer    "]) {
        const headers = { authorization: scheme + token };
        expect((await env.anyone.get("/v1/pets", { headers })).status).toBe(200);
      }
      // Only spaces may separate them (RFC 9110 §11.4).
      const headers = { authorization: `Bearer \t${token}` };
      expectProblem(await env.anyone.get("/v1/pets", { headers }), "invalid_api_key");
    }),
  },
  {
    id: "authentication.malformed",
    source: "contract: keys",
    sentence: "a malformed Authorization says what is wrong, and never repeats the key",
    run: inAccount(async ({ token }, env) => {
      for (const [authorization, words] of [
        [token, "lacks the word Bearer before the token"],
        [`Token ${token}`, "must begin with Bearer"],
        [`Basic ${token}`, "must begin with Bearer"],
        ["Bearer", "has no token after Bearer"],
        [`Bearer Bearer ${token}`, "contains the word Bearer twice"],
        ["Bearer undefined", 'contains "undefined" instead of a token'],
        ["Bearer null", 'contains "null" instead of a token'],
        ["bearer  None", 'contains "None" instead of a token'],
        ["Bearer [object Object]", 'contains "[object Object]" instead of a token'],
        ["Bearer ${API_KEY}", "contains the name of a variable"],
        ["Bearer <your key>", "contains the name of a variable"],
        [`Bearer "${token}"`, "must contain the token without quotes"],
        [`Bearer ${token}x`, "The API key is unknown or mistyped."],
        [`Bearer ${"x".repeat(200)}`, "is longer than any credential"],
      ] as const) {
        const reply = await env.anyone.get("/v1/pets", { headers: { authorization } });
        expectProblem(reply, "invalid_api_key");
        expect(reply.headers.get("www-authenticate")).toContain('error="invalid_token"');
        const text = JSON.stringify(reply.body);
        expect(text).toContain(JSON.stringify(words).slice(1, -1));
        expect(text).not.toContain(token);
      }
    }),
  },
  {
    id: "authentication.challenge",
    source: "contract: keys",
    sentence: "every 401 carries WWW-Authenticate: Bearer",
    run: inAccount(async ({ token }, env) => {
      for (const key of [undefined, "letmein", mistyped(token)]) {
        const reply = await env.anyone.as(key).get("/v1/pets");
        expect(reply.status).toBe(401);
        expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
      }
    }),
  },
  {
    id: "authentication.format",
    source: "contract: keys",
    sentence:
      "a Production key has the form pet_live_<id>_<secret><checksum>, a Staging key pet_test_…",
    run: inAccount(async (shelter) => {
      expect(shelter.token).toMatch(/^pet_live_[0-9A-Za-z]{10}_[0-9A-Za-z]{38}$/);
      expect(shelter.token).toContain(`_${shelter.id}_`);
      const other = await shelter.key({ environment: "staging" });
      expect(other.token).toMatch(/^pet_test_[0-9A-Za-z]{10}_[0-9A-Za-z]{38}$/);
    }),
  },
  {
    id: "authentication.typo",
    source: "contract: keys",
    sentence: "a key with one mistyped character is refused",
    run: inAccount(async ({ token }, env) => {
      for (const place of [9, 15, 30, token.length - 1]) {
        const typo = token[place] === "x" ? "y" : "x";
        const wrong = token.slice(0, place) + typo + token.slice(place + 1);
        if (token[place] === "_") continue;
        expectProblem(await env.anyone.as(wrong).get("/v1/pets"), "invalid_api_key");
      }
    }),
  },
  {
    id: "authentication.typo-costs-nothing",
    source: "contract: keys",
    sentence: "a typo is detected by the checksum, without a storage call",
    needs: "faults",
    run: inAccount(async ({ token, api }, env) => {
      await api.get("/v1/pets");
      env.inside.fail(new Error("the store was asked"));
      expectProblem(await env.anyone.as(mistyped(token)).get("/v1/pets"), "invalid_api_key");
      expectProblem(await env.anyone.as("x".repeat(90)).get("/v1/pets"), "invalid_api_key");
    }),
  },
  {
    id: "authentication.trimmed-key",
    source: "contract: keys",
    sentence: "a key with added or missing characters is invalid",
    run: inAccount(async ({ token }, env) => {
      for (const wrong of [`${token}x`, token.slice(0, -1), `${token},${token}`]) {
        expectProblem(await env.anyone.as(wrong).get("/v1/pets"), "invalid_api_key");
      }
    }),
  },
  {
    id: "authentication.unknown",
    source: "contract: keys",
    sentence: "a well-formed key that was never issued is invalid",
    run: async (env) => {
      const wellFormed = checksummed("pet_live_0000000000_00000000000000000000000000000000");
      expectProblem(await env.anyone.as(wellFormed).get("/v1/pets"), "invalid_api_key");
    },
  },
  {
    id: "authentication.forged",
    source: "contract: keys",
    sentence: "a well-formed key with another key's id and its own secret is invalid",
    run: inAccount(async ({ token }, env) => {
      const forged = checksummed(
        `${token.slice(0, "pet_live_0000000000_".length)}${"0".repeat(32)}`,
      );
      // Before and after the correct key is cached.
      expectProblem(await env.anyone.as(forged).get("/v1/pets"), "invalid_api_key");
      expect((await env.anyone.as(token).get("/v1/pets")).status).toBe(200);
      expectProblem(await env.anyone.as(forged).get("/v1/pets"), "invalid_api_key");
    }),
  },
  {
    id: "authentication.wrong-environment",
    source: "contract: keys",
    sentence:
      "a key of the other environment is refused with 401 wrong_environment, in both directions",
    run: inAccount(async (shelter, env) => {
      const staging = await shelter.key({ environment: "staging" });
      expectProblem(await env.anyone.as(staging.token).get("/v1/pets"), "wrong_environment");
      expectProblem(await env.staging.as(shelter.token).get("/v1/pets"), "wrong_environment");
      expect((await env.staging.as(staging.token).get("/v1/pets")).status).toBe(200);
    }),
  },
  {
    id: "authentication.revoked",
    source: "contract: keys",
    sentence:
      "a revoked key is refused immediately with 401 revoked_api_key, and other keys keep working",
    run: inAccount(async (shelter) => {
      const other = await shelter.key();
      expect((await other.api.get("/v1/pets")).status).toBe(200);
      await shelter.revoke(other.id);
      expectProblem(await other.api.get("/v1/pets"), "revoked_api_key");
      expect((await shelter.api.get("/v1/pets")).status).toBe(200);
    }),
  },
  {
    id: "authentication.expired",
    source: "contract: keys",
    sentence: "a key works until it expires and is then refused with 401",
    needs: "clock",
    run: inAccount(async (shelter, env) => {
      const { api } = await shelter.key({ expiresInMs: DAY_MS });
      env.inside.clock.advance(DAY_MS - 1);
      expect((await api.get("/v1/pets")).status).toBe(200);
      env.inside.clock.advance(1);
      expectProblem(await api.get("/v1/pets"), "expired_api_key");
    }),
  },
  {
    id: "authentication.rotation",
    source: "contract: keys",
    sentence:
      "a rotated key and its successor both work during the overlap, then only the successor",
    needs: "clock",
    run: inAccount(async (shelter, env) => {
      const successor = await shelter.rotate(shelter.id);
      expect(successor.token).not.toBe(shelter.token);
      env.inside.clock.advance(DAY_MS - 1);
      expect((await shelter.api.get("/v1/pets")).status).toBe(200);
      expect((await successor.api.get("/v1/pets")).status).toBe(200);
      env.inside.clock.advance(1);
      expectProblem(await shelter.api.get("/v1/pets"), "expired_api_key");
      expect((await successor.api.get("/v1/pets")).status).toBe(200);
    }),
  },
  {
    id: "authentication.rotation-same-catalogue",
    source: "contract: keys",
    sentence: "the successor of a rotated key has its scopes and its catalogue",
    run: async (env) => {
      const shelter = await env.account({ scopes: ["pets:read", "pets:write"] });
      const pet = await addPet(shelter.api);
      const successor = await shelter.rotate(shelter.id);
      expect((await successor.api.get(`/v1/pets?id=${pet.id}`)).body).toEqual([pet]);
      expectProblem(await successor.api.get("/v1/categories"), "insufficient_scope");
    },
  },
  {
    id: "authentication.default-scopes",
    source: "contract: scopes",
    sentence: "a key created without scopes has all except pets:admin",
    run: inAccount(async (shelter) => {
      const { api } = await shelter.key();
      const { id } = await addPet(api, { status: "sold" });
      expect((await api.get("/v1/categories")).status).toBe(200);
      expect((await api.get("/v1/store/orders")).status).toBe(200);
      expect((await api.post("/v1/categories", { name: "Rabbits" })).status).toBe(201);
      const reply = await api.patch(`/v1/pets/${id}`, { status: "available" });
      expectProblem(reply, "insufficient_scope");
    }),
  },
  {
    id: "authentication.scope-challenge",
    source: "contract: scopes",
    sentence: "insufficient_scope names the missing scope in WWW-Authenticate",
    run: async (env) => {
      const { api } = await env.account({ scopes: ["pets:read"] });
      const reply = await api.get("/v1/categories");
      expectProblem(reply, "insufficient_scope");
      expect(reply.headers.get("www-authenticate")).toContain('scope="categories:read"');
    },
  },
  {
    id: "authentication.allowed-addresses",
    source: "contract: keys",
    sentence: "a key bound to networks works only from there, and so does its successor",
    run: inAccount(async (shelter, env) => {
      const bound = await shelter.key({ allowedAddresses: ["198.51.100.7/24", "2001:db8:1::/48"] });
      const from = (address: string, token = bound.token) => env.from(address).as(token);
      for (const address of ["198.51.100.200", "2001:db8:1:2::3"]) {
        expect((await from(address).get("/v1/pets")).status).toBe(200);
      }
      for (const address of ["198.51.101.1", "2001:db8:2::1"]) {
        const reply = await from(address).get("/v1/pets");
        expect(expectProblem(reply, "address_not_allowed").message).toContain(address);
      }
      const successor = await shelter.rotate(bound.id);
      const elsewhere = await from("198.51.101.1", successor.token).get("/v1/pets");
      expectProblem(elsewhere, "address_not_allowed");
    }),
  },
  {
    id: "authentication.failures-counted",
    source: "contract: rate limits",
    sentence: "an address may fail to authenticate 60 times a minute, and then gets 429",
    run: async (env) => {
      for (let count = 1; count <= 60; count++) {
        const reply = await env.anyone.as("letmein").get("/v1/pets");
        expectProblem(reply, "invalid_api_key");
        expect(reply.headers.get("x-ratelimit-limit")).toBe("60");
        expect(reply.headers.get("x-ratelimit-remaining")).toBe(String(60 - count));
      }
      const reply = await env.anyone.as("letmein").get("/v1/pets");
      expectProblem(reply, "rate_limited");
      expect(Number(reply.headers.get("retry-after"))).toBeWithin(1, 61);
    },
  },
  {
    id: "authentication.failures-never-shut-out",
    source: "contract: rate limits",
    sentence: "a valid key is never refused because of its address's failures",
    run: inAccount(async ({ token }, env) => {
      for (let count = 0; count < 61; count++) await env.anyone.get("/v1/pets");
      expect((await env.anyone.get("/v1/pets")).status).toBe(429);
      expect((await env.anyone.as(token).get("/v1/pets")).status).toBe(200);
    }),
  },
  {
    id: "authentication.failures-ipv4",
    source: "contract: rate limits",
    sentence: "failures are counted separately for each IPv4 address",
    run: async (env) => {
      for (let count = 0; count < 61; count++) await env.from("198.51.100.7").get("/v1/pets");
      expect((await env.from("198.51.100.7").get("/v1/pets")).status).toBe(429);
      expect((await env.from("198.51.100.8").get("/v1/pets")).status).toBe(401);
      expect((await env.from("::ffff:198.51.100.7").get("/v1/pets")).status).toBe(429);
    },
  },
  {
    id: "authentication.failures-ipv6",
    source: "contract: rate limits",
    sentence: "addresses of one IPv6 /64 share their failures, and another /64 has its own",
    run: async (env) => {
      for (let count = 0; count < 61; count++) {
        await env.from(`2001:db8:1:2::${count.toString(16)}`).get("/v1/pets");
      }
      expect((await env.from("2001:db8:1:2:ffff::1").get("/v1/pets")).status).toBe(429);
      expect((await env.from("2001:db8:1:3::1").get("/v1/pets")).status).toBe(401);
    },
  },
  {
    id: "authentication.failures-recover",
    source: "contract: rate limits",
    sentence: "an address that waited for Retry-After may fail again",
    needs: "clock",
    run: async (env) => {
      for (let count = 0; count < 61; count++) await env.anyone.get("/v1/pets");
      const reply = await env.anyone.get("/v1/pets");
      expect(reply.status).toBe(429);
      const waitMs = Number(reply.headers.get("retry-after")) * 1_000;
      expect(waitMs).toBeLessThanOrEqual(MINUTE_MS);
      env.inside.clock.advance(waitMs);
      expectProblem(await env.anyone.get("/v1/pets"), "missing_api_key");
    },
  },
  {
    id: "authentication.known-elsewhere",
    source: "contract: keys",
    sentence: "cached information about a key is trusted for at most one second",
    needs: "clock",
    run: inAccount(async ({ api }, env) => {
      // Reads the feed, so that no further notice arrives.
      await env.inside.pass(250);
      expect((await api.get("/v1/pets")).status).toBe(200);
      await env.inside.pass(1_000);
      env.inside.fail(new Error("asked again"), (method) => method === "keys.byId");
      expect((await api.get("/v1/pets")).status).toBe(200);
      env.inside.clock.advance(1_000);
      expectProblem(await api.get("/v1/pets"), "internal_error");
    }),
  },
];

/** Builds a key with a valid checksum from the documented format. */
function checksummed(text: string): string {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  let checksum = "";
  for (let rest = Bun.hash.crc32(text), place = 0; place < 6; place++) {
    checksum = (digits[rest % 62] ?? "") + checksum;
    rest = Math.floor(rest / 62);
  }
  return text + checksum;
}
