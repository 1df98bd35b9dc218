import { describe, expect, test } from "bun:test";

import { createSeal, SealBroken } from "../../domains/seal.ts";

const key = new Uint8Array(32).fill(7);
const SECRET = "-----BEGIN PRIVATE KEY-----";

describe("a seal", () => {
  test("opens what it closed", () => {
    const sealed = createSeal(key).close(SECRET, "order 1");
    expect(createSeal(key).open(sealed, "order 1")).toBe(SECRET);
  });

  test("shows nothing of the secret, and never seals the same twice", () => {
    const seal = createSeal(key);
    const [first, second] = [seal.close(SECRET, "order 1"), seal.close(SECRET, "order 1")];
    expect(first).not.toBe(second);
    expect(Buffer.from(first.slice(3), "base64url").toString("latin1")).not.toContain("PRIVATE");
  });

  test("does not open in another row", () => {
    const sealed = createSeal(key).close(SECRET, "order 1");
    expect(() => createSeal(key).open(sealed, "order 2")).toThrow(SealBroken);
  });

  test("does not open with another encryption key, and says so without the secret", () => {
    const sealed = createSeal(key).close(SECRET, "order 1");
    const other = createSeal(new Uint8Array(32).fill(8));
    expect(() => other.open(sealed, "order 1")).toThrow(/order 1 .* another encryption key/);
  });

  test("opens nothing that was changed, cut short or is of another version", () => {
    const seal = createSeal(key);
    const sealed = seal.close(SECRET, "order 1");
    const last = sealed.endsWith("A") ? "B" : "A";
    for (const broken of [
      `${sealed.slice(0, 20)}${sealed[20] === "A" ? "B" : "A"}${sealed.slice(21)}`,
      sealed.slice(0, 20),
      sealed.slice(0, -4) + last.repeat(4),
      `v2${sealed.slice(2)}`,
      "",
    ]) {
      expect(() => seal.open(broken, "order 1")).toThrow(SealBroken);
    }
  });

  test("wants a key of 32 bytes", () => {
    expect(() => createSeal(new Uint8Array(16))).toThrow(TypeError);
  });
});
