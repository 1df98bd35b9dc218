import { expect, test } from "bun:test";

import { answerProbe } from "../../../domains/http/plain-http.ts";
import { createPresence } from "../../../domains/outside/presence.ts";

const presence = createPresence(new Uint8Array(32).fill(7));
const host = "pets.shelter.org";
const { token, answers } = presence.question(host);

function asking(target: string, changes: { method?: string; host?: string } = {}) {
  return answerProbe(presence, { method: "GET", host, target, ...changes }, () => "served");
}

test("our own probe is answered, without caching", async () => {
  const response = asking(`/.well-known/petstore-probe/${token}`);
  expect(response?.status).toBe(200);
  expect(response?.headers.get("cache-control")).toBe("no-store");
  expect(await response?.text()).toBe(answers.served);
});

test("the answer reports whether other requests would be redirected", async () => {
  const target = `/.well-known/petstore-probe/${token}?x=1`;
  const response = answerProbe(presence, { method: "GET", host, target }, () => "redirected");
  expect(await response?.text()).toBe(answers.redirected);
});

test.each([
  ["another host", token, { host: "cats.shelter.org" }],
  ["another method", token, { method: "POST" }],
  ["an unknown token", "A".repeat(43), {}],
  ["a malformed token", "../../etc/passwd", {}],
  ["an empty token", "", {}],
])("a probe with %s is 404", async (_name, sentToken, changes) => {
  const response = asking(`/.well-known/petstore-probe/${sentToken}`, changes);
  expect(response?.status).toBe(404);
  expect(await response?.text()).not.toContain(answers.served);
});

test("other paths are not handled", () => {
  expect(asking("/")).toBeUndefined();
  expect(asking(`/x/.well-known/petstore-probe/${token}`)).toBeUndefined();
});
