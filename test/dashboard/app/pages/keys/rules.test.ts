import { expect, test } from "bun:test";

import {
  curlLine,
  envFile,
  hasEnded,
  networksIn,
  prefixOf,
  statusOf,
} from "../../../../../dashboard/app/pages/keys/rules.ts";
import type { KeyView } from "../../../../../lib/accounts/keys.ts";

const NOW = 1_000_000;

function key(more: Partial<KeyView> = {}): KeyView {
  return {
    id: "8fJ2kQ0aZx",
    accountId: "acc_1",
    environment: "production",
    name: "website",
    scopes: [],
    status: "active",
    createdAt: 0,
    ...more,
  };
}

test("a key without an expiry is active", () => {
  expect(statusOf(key(), NOW)).toEqual({ kind: "active", expiresAt: undefined });
});

test("a key that expired after it was loaded is shown as expired", () => {
  const status = statusOf(key({ expiresAt: NOW }), NOW);
  expect(status).toEqual({ kind: "expired", at: NOW });
  expect(hasEnded(status)).toBe(true);
});

test("a rotated key is replaced until its overlap ends", () => {
  const rotated = key({ replacedBy: "next", expiresAt: NOW + 5 });
  expect(statusOf(rotated, NOW)).toEqual({
    kind: "replaced",
    until: NOW + 5,
    successor: "next",
  });
  expect(hasEnded(statusOf(rotated, NOW))).toBe(false);
});

test("a ban takes precedence over a rotation until it ends", () => {
  const banned = key({ status: "banned", bannedUntil: NOW + 1, replacedBy: "next" });
  expect(statusOf(banned, NOW).kind).toBe("banned");
  expect(statusOf(banned, NOW + 1).kind).toBe("replaced");
});

test("a revocation takes precedence over everything else", () => {
  const revoked = key({
    status: "revoked",
    revokedAt: 7,
    replacedBy: "next",
    bannedUntil: NOW + 1,
  });
  expect(statusOf(revoked, NOW)).toEqual({ kind: "revoked", at: 7 });
});

test("a key's prefix names its environment", () => {
  expect(prefixOf(key())).toBe("pet_live_8fJ2kQ0aZx…");
  expect(prefixOf(key({ environment: "staging" }))).toBe("pet_test_8fJ2kQ0aZx…");
});

test("networks are separated by new lines, commas, semicolons or spaces", () => {
  expect(networksIn(" 10.0.0.0/8\n\n192.0.2.1, 2001:db8::/48;::1 ")).toEqual({
    networks: ["10.0.0.0/8", "192.0.2.1", "2001:db8::/48", "::1"],
    fault: undefined,
  });
});

test("an empty field has no networks and no fault", () => {
  expect(networksIn(" \n ")).toEqual({ networks: [], fault: undefined });
});

test("an invalid network is reported", () => {
  expect(networksIn("10.0.0.0/8\n10.0.0.0/33").fault).toEqual({
    kind: "invalid",
    text: "10.0.0.0/33",
  });
});

test("at most fifty networks are allowed", () => {
  const lines = Array.from({ length: 51 }, (_, index) => `10.0.${index}.0/24`);
  expect(networksIn(lines.slice(1).join("\n")).fault).toBeUndefined();
  expect(networksIn(lines.join("\n")).fault).toEqual({ kind: "too_many", maximum: 50 });
});

test("a .env file has the key and the API's address", () => {
  expect(envFile("pet_live_a_b", "https://pets.example.org/v1")).toBe(
    "PETSTORE_API_KEY=pet_live_a_b\nPETSTORE_API_URL=https://pets.example.org/v1\n",
  );
});

test("the shell command quotes the key", () => {
  expect(curlLine("pet_live_a_b", "https://pets.example.org/v1")).toBe(
    "curl -H 'Authorization: Bearer pet_live_a_b' https://pets.example.org/v1/pets",
  );
});
