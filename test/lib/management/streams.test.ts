import { expect, test } from "bun:test";
import { streamPlaces } from "../../../lib/management/places.ts";

/** Returns a token of an account. */
function token(counter: string, accountId = `account of ${counter}`) {
  return { counter, accountId };
}

test("a caller can have twenty streams, independent of others", () => {
  const streams = streamPlaces();
  for (let count = 0; count < 20; count++) expect(streams.take(token("a"))).toBeFunction();
  expect(streams.take(token("a"))).toBeUndefined();
  expect(streams.take(token("b"))).toBeFunction();
});

test("an account can have a hundred streams, with any number of tokens", () => {
  const streams = streamPlaces();
  for (let count = 0; count < 100; count++) {
    expect(streams.take(token(`token ${count % 10}`, "acc_one"))).toBeFunction();
  }
  expect(streams.take(token("another", "acc_one"))).toBeUndefined();
  expect(streams.take(token("another", "acc_two"))).toBeFunction();
  expect(streams.take({ counter: "operator", accountId: undefined })).toBeFunction();
});

test("all callers together can have a thousand streams", () => {
  const streams = streamPlaces();
  for (let count = 0; count < 1_000; count++) {
    expect(streams.take(token(`caller ${count % 100}`))).toBeFunction();
  }
  expect(streams.take(token("another"))).toBeUndefined();
});

test("releasing a stream twice frees one place", async () => {
  const streams = streamPlaces();
  const [leave] = await Promise.all(
    Array.from({ length: 20 }, async () => streams.take(token("a"))),
  );
  leave?.();
  leave?.();
  expect(streams.take(token("a"))).toBeFunction();
  expect(streams.take(token("a"))).toBeUndefined();
});
