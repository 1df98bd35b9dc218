import { expect, test } from "bun:test";

import { handshakeProbe } from "../../../domains/index.ts";
import { DAY_MS, systemClock } from "../../../lib/base/clock.ts";
import { manualClock } from "../../helpers/clock.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { startFront } from "../../helpers/tls-front.ts";

const { signal } = new AbortController();

async function probing(presented: Awaited<ReturnType<typeof presentedFor>>, name: string) {
  await using started = await startFront();
  started.live.set(name, presented);
  const at = { host: "127.0.0.1", port: started.port };
  return await handshakeProbe(() => at, systemClock)(name, signal);
}

test("a listener that presents the name's certificate passes", async () => {
  expect(await probing(await presentedFor("a", "pets.one.test"), "pets.one.test")).toBe(true);
  expect(await probing(await presentedFor("a", "*.one.test"), "pets.one.test")).toBe(true);
});

test("another name's certificate fails", async () => {
  expect(await probing(await presentedFor("a", "cats.one.test"), "pets.one.test")).toBe(false);
  expect(await probing(await presentedFor("a", "*.one.test"), "a.pets.one.test")).toBe(false);
});

test("an expired certificate fails", async () => {
  await using started = await startFront();
  started.live.set("pets.one.test", await presentedFor("a", "pets.one.test"));
  const later = manualClock(Date.now() + 91 * DAY_MS);
  const probe = handshakeProbe(() => ({ host: "127.0.0.1", port: started.port }), later);
  expect(await probe("pets.one.test", signal)).toBe(false);
});

test("an unknown name and a closed port fail", async () => {
  await using started = await startFront();
  const at = { host: "127.0.0.1", port: started.port };
  expect(await handshakeProbe(() => at, systemClock)("pets.one.test", signal)).toBe(false);
  await started.front.end();
  expect(await handshakeProbe(() => at, systemClock)("pets.one.test", signal)).toBe(false);
});

test("an abort rejects at once", async () => {
  const over = new AbortController();
  over.abort(new Error("over"));
  const probe = handshakeProbe(() => ({ host: "127.0.0.1", port: 1 }), systemClock);
  await expect(probe("pets.one.test", over.signal)).rejects.toThrow("over");
});
