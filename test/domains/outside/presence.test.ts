import { expect, test } from "bun:test";

import { createPresence } from "../../../domains/outside/presence.ts";

const KEY = new Uint8Array(32).fill(7);
const HOST = "pets.shelter.org";

test("any node with the key can answer another node's question", () => {
  const { token, answers } = createPresence(KEY).question(HOST);
  const other = createPresence(KEY);
  expect(other.answer(HOST, token, "served")).toBe(answers.served);
  expect(other.answer(HOST, token, "redirected")).toBe(answers.redirected);
  expect(answers.served).not.toBe(answers.redirected);
});

test("a token is valid for one host, one key and one question", () => {
  const presence = createPresence(KEY);
  const { token, answers } = presence.question(HOST);
  expect(presence.answer("cats.shelter.org", token, "served")).toBeUndefined();
  const stranger = createPresence(new Uint8Array(32).fill(8));
  expect(stranger.answer(HOST, token, "served")).toBeUndefined();
  const next = presence.question(HOST);
  expect(next.token).not.toBe(token);
  expect(next.answers.served).not.toBe(answers.served);
});

test("an invalid token has no answer", () => {
  const presence = createPresence(KEY);
  const { token } = presence.question(HOST);
  const changed = `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`;
  for (const other of ["", "abc", "A".repeat(43), changed, `${token}AAAA`]) {
    expect(presence.answer(HOST, other, "served")).toBeUndefined();
  }
});

test("a token does not reveal its answer", () => {
  const { token, answers } = createPresence(KEY).question(HOST);
  expect(token).not.toContain(answers.served);
  expect(answers.served).toHaveLength(43);
});

test("a key of another length is rejected", () => {
  expect(() => createPresence(new Uint8Array(16))).toThrow(TypeError);
});
