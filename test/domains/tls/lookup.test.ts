import { expect, test } from "bun:test";

import { boundedLookup } from "../../../domains/tls/lookup.ts";
import type { Presented } from "../../../domains/ports/certificates.ts";
import { manualClock } from "../../helpers/clock.ts";

const certificate = (id: string): Presented => ({
  id,
  chainPem: "",
  privateKeyPem: "",
  notAfter: 0,
});

/** Certificates that arrive when they are told to. */
function slow() {
  const clock = manualClock(1_000_000);
  const asked: string[] = [];
  const waiting: PromiseWithResolvers<Presented | undefined>[] = [];
  const find = boundedLookup({
    clock,
    maxWaiting: 3,
    certificateFor: (name) => {
      asked.push(name);
      const answer = Promise.withResolvers<Presented | undefined>();
      waiting.push(answer);
      return answer.promise;
    },
  });
  return { clock, asked, find, waiting };
}

test("what is at hand is given at once, and asked for anew each time", () => {
  let current = certificate("1");
  const find = boundedLookup({ clock: manualClock(1_000_000), certificateFor: () => current });
  expect(find("a.test")).toBe(current);
  current = certificate("2");
  expect(find("a.test")).toBe(current);
});

test("a name is not asked for twice at a time", async () => {
  const { asked, find, waiting } = slow();
  const both = [find("a.test"), find("a.test")];
  waiting[0]?.resolve(certificate("1"));
  expect(await Promise.all(both)).toEqual([certificate("1"), certificate("1")]);
  expect(asked).toEqual(["a.test"]);
});

test("what was waited for in vain is not asked for again within a second", async () => {
  const { clock, asked, find, waiting } = slow();
  const first = find("a.test");
  waiting[0]?.resolve(undefined);
  expect(await first).toBeUndefined();
  clock.advance(999);
  expect(find("a.test")).toBeUndefined();
  expect(asked).toHaveLength(1);
  clock.advance(1);
  void find("a.test");
  expect(asked).toHaveLength(2);
});

test("while many are waited for, further names are as if unknown", () => {
  const { asked, find } = slow();
  for (const name of ["a.test", "b.test", "c.test", "d.test"]) void find(name);
  expect(find("e.test")).toBeUndefined();
  expect(asked).toEqual(["a.test", "b.test", "c.test"]);
});

test("a failure is passed on, and the name asked for again", async () => {
  const { asked, find, waiting } = slow();
  const first = find("a.test");
  waiting[0]?.reject(new Error("the database is away"));
  await expect(first).rejects.toThrow("the database is away");
  void find("a.test");
  expect(asked).toHaveLength(2);
});
