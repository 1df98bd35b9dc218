import { expect, test } from "bun:test";

import {
  hasEnded,
  prefixOf,
  standingOf,
} from "../../../../../dashboard/app/pages/keys/standing.ts";
import type { KeyView } from "../../../../../lib/actions/local-client.ts";

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

test("a key without an end works", () => {
  expect(standingOf(key(), NOW)).toEqual({ kind: "works", expiresAt: undefined });
});

test("a key that ran out since it was asked for is seen as expired", () => {
  const standing = standingOf(key({ expiresAt: NOW }), NOW);
  expect(standing).toEqual({ kind: "expired", at: NOW });
  expect(hasEnded(standing)).toBe(true);
});

test("a rotated key is replaced until its overlap ends", () => {
  const rotated = key({ replacedBy: "next", expiresAt: NOW + 5 });
  expect(standingOf(rotated, NOW)).toEqual({
    kind: "replaced",
    until: NOW + 5,
    successor: "next",
  });
  expect(hasEnded(standingOf(rotated, NOW))).toBe(false);
});

test("a ban is told before a rotation, and is over at its end", () => {
  const banned = key({ status: "banned", bannedUntil: NOW + 1, replacedBy: "next" });
  expect(standingOf(banned, NOW).kind).toBe("banned");
  expect(standingOf(banned, NOW + 1).kind).toBe("replaced");
});

test("a revoked key is revoked whatever else it is", () => {
  const revoked = key({
    status: "revoked",
    revokedAt: 7,
    replacedBy: "next",
    bannedUntil: NOW + 1,
  });
  expect(standingOf(revoked, NOW)).toEqual({ kind: "revoked", at: 7 });
});

test("what is shown of a key tells its environment", () => {
  expect(prefixOf(key())).toBe("pet_live_8fJ2kQ0aZx…");
  expect(prefixOf(key({ environment: "staging" }))).toBe("pet_test_8fJ2kQ0aZx…");
});
