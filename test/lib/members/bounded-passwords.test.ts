import { describe, expect, test } from "bun:test";

import { boundedPasswords, type Passwords } from "../../../lib/members/passwords.ts";
import { must } from "../../helpers/outcome.ts";

/** Hashing that the test ends, with the maximum number of simultaneous runs. */
function slow() {
  const waiting: (() => void)[] = [];
  const seen = { running: 0, most: 0, hashed: [] as string[] };
  const passwords: Passwords = {
    hash: async (password) => {
      seen.most = Math.max(seen.most, ++seen.running);
      await new Promise<void>((resolve) => waiting.push(resolve));
      seen.running--;
      seen.hashed.push(password);
      return `hash of ${password}`;
    },
    verify: async (hash, password) => hash === `hash of ${password}`,
  };
  return { passwords, seen, finish: () => waiting.shift()?.() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("hashing", () => {
  test("runs two at a time in order, and is refused when too many wait", async () => {
    const { passwords, seen, finish } = slow();
    const bounded = boundedPasswords(passwords, { atOnce: 2, waiting: 3 });
    const hashes = ["a", "b", "c", "d", "e"].map((password) => bounded.hash(password));
    const over = await bounded.hash("f");
    expect(over).toMatchObject({ ok: false, failure: { code: "unavailable" } });
    for (let left = hashes.length; left > 0; left--) {
      finish();
      await settle();
    }
    expect((await Promise.all(hashes)).every(({ ok }) => ok)).toBe(true);
    expect(seen.most).toBe(2);
    expect(seen.hashed).toEqual(["a", "b", "c", "d", "e"]);
    const later = bounded.hash("g");
    await settle();
    finish();
    expect(await later).toEqual({ ok: true, value: "hash of g" });
  });

  test("frees its place when it fails", async () => {
    const broken: Passwords = {
      hash: () => Promise.reject(new Error("no memory")),
      verify: async () => true,
    };
    const bounded = boundedPasswords(broken, { atOnce: 1, waiting: 0 });
    for (let count = 0; count < 3; count++) {
      expect(bounded.hash("a")).rejects.toThrow("no memory");
      await settle();
    }
    expect(await bounded.verify("hash", "a")).toEqual({ ok: true, value: true });
  });

  test("treats composed and decomposed characters as the same password", async () => {
    const { passwords, finish } = slow();
    const bounded = boundedPasswords(passwords);
    const hashing = bounded.hash("zoe\u0308");
    await settle();
    finish();
    const hashed = must(await hashing);
    expect(await bounded.verify(hashed, "zo\u00eb")).toEqual({ ok: true, value: true });
  });
});
