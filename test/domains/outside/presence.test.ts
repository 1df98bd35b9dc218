import { expect, test } from "bun:test";

import { createPresence } from "../../../domains/outside/presence.ts";

const KEY = new Uint8Array(32).fill(7);
const HOST = "pets.shelter.org";

test("any node with the key answers what another one asks", () => {
  const { token, answers } = createPresence(KEY).question(HOST);
  const other = createPresence(KEY);
  expect(other.answer(HOST, token, "served")).toBe(answers.served);
  expect(other.answer(HOST, token, "redirected")).toBe(answers.redirected);
  expect(answers.served).not.toBe(answers.redirected);
});

test("a token is for one host, one key and one look", () => {
  const presence = createPresence(KEY);
  const { token, answers } = presence.question(HOST);
  expect(presence.answer("cats.shelter.org", token, "served")).toBeUndefined();
  const stranger = createPresence(new Uint8Array(32).fill(8));
  expect(stranger.answer(HOST, token, "served")).toBeUndefined();
  const next = presence.question(HOST);
  expect(next.token).not.toBe(token);
  expect(next.answers.served).not.toBe(answers.served);
});

test("what is no token of ours has no answer", () => {
  const presence = createPresence(KEY);
  const { token } = presence.question(HOST);
  const changed = `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`;
  for (const other of ["", "abc", "A".repeat(43), changed, `${token}AAAA`]) {
    expect(presence.answer(HOST, other, "served")).toBeUndefined();
  }
});

test("a token tells nothing of its answer", () => {
  const { token, answers } = createPresence(KEY).question(HOST);
  expect(token).not.toContain(answers.served);
  expect(answers.served).toHaveLength(43);
});

test("a key of another length is refused", () => {
  expect(() => createPresence(new Uint8Array(16))).toThrow(TypeError);
});
