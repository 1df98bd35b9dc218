import { expect, test } from "bun:test";

import { answerProbe } from "../../../domains/http/plain-http.ts";
import { createPresence } from "../../../domains/outside/presence.ts";

const presence = createPresence(new Uint8Array(32).fill(7));
const host = "pets.shelter.org";
const { token, answers } = presence.question(host);

function asking(target: string, changes: { method?: string; host?: string } = {}) {
  return answerProbe(presence, { method: "GET", host, target, ...changes }, () => "served");
}

test("our own look is answered, and nobody keeps the answer", async () => {
  const response = asking(`/.well-known/petstore-probe/${token}`);
  expect(response?.status).toBe(200);
  expect(response?.headers.get("cache-control")).toBe("no-store");
  expect(await response?.text()).toBe(answers.served);
});

test("the answer tells whether other requests would be redirected", async () => {
  const target = `/.well-known/petstore-probe/${token}?x=1`;
  const response = answerProbe(presence, { method: "GET", host, target }, () => "redirected");
  expect(await response?.text()).toBe(answers.redirected);
});

test.each([
  ["another host", token, { host: "cats.shelter.org" }],
  ["another method", token, { method: "POST" }],
  ["a token of nobody", "A".repeat(43), {}],
  ["something that is no token", "../../etc/passwd", {}],
  ["nothing", "", {}],
])("%s finds nothing", async (_name, asked, changes) => {
  const response = asking(`/.well-known/petstore-probe/${asked}`, changes);
  expect(response?.status).toBe(404);
  expect(await response?.text()).not.toContain(answers.served);
});

test("other paths are not its business", () => {
  expect(asking("/")).toBeUndefined();
  expect(asking(`/x/.well-known/petstore-probe/${token}`)).toBeUndefined();
});
