import { describe, expect, test } from "bun:test";

import { createSeal, SealBroken } from "../../../domains/storage/seal.ts";

const key = new Uint8Array(32).fill(7);
const SECRET = "-----BEGIN PRIVATE KEY-----";

describe("a seal", () => {
  test("decrypts what it encrypted", () => {
    const sealed = createSeal(key).close(SECRET, "order 1");
    expect(createSeal(key).open(sealed, "order 1")).toBe(SECRET);
  });

  test("hides the secret, and never produces the same text twice", () => {
    const seal = createSeal(key);
    const [first, second] = [seal.close(SECRET, "order 1"), seal.close(SECRET, "order 1")];
    expect(first).not.toBe(second);
    expect(Buffer.from(first.slice(3), "base64url").toString("latin1")).not.toContain("PRIVATE");
  });

  test("does not decrypt for another row", () => {
    const sealed = createSeal(key).close(SECRET, "order 1");
    expect(() => createSeal(key).open(sealed, "order 2")).toThrow(SealBroken);
  });

  test("does not decrypt with another key, and does not reveal the secret in the error", () => {
    const sealed = createSeal(key).close(SECRET, "order 1");
    const other = createSeal(new Uint8Array(32).fill(8));
    expect(() => other.open(sealed, "order 1")).toThrow(/order 1 .* another encryption key/);
  });

  test("does not decrypt changed, truncated or newer texts", () => {
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

  test("requires a key of 32 bytes", () => {
    expect(() => createSeal(new Uint8Array(16))).toThrow(TypeError);
  });
});
