import { expect, test } from "bun:test";
import { createStreams } from "../../../lib/management/sse.ts";

/** Returns a token of an account. */
function token(counter: string, accountId = `account of ${counter}`) {
  return { counter, accountId };
}

test("a caller can have twenty streams, independent of others", () => {
  const streams = createStreams();
  for (let count = 0; count < 20; count++) expect(streams.open(token("a"))).toBeFunction();
  expect(streams.open(token("a"))).toBeUndefined();
  expect(streams.open(token("b"))).toBeFunction();
});

test("an account can have a hundred streams, with any number of tokens", () => {
  const streams = createStreams();
  for (let count = 0; count < 100; count++) {
    expect(streams.open(token(`token ${count % 10}`, "acc_one"))).toBeFunction();
  }
  expect(streams.open(token("another", "acc_one"))).toBeUndefined();
  expect(streams.open(token("another", "acc_two"))).toBeFunction();
  expect(streams.open({ counter: "operator", accountId: undefined })).toBeFunction();
});

test("all callers together can have a thousand streams", () => {
  const streams = createStreams();
  for (let count = 0; count < 1_000; count++) {
    expect(streams.open(token(`caller ${count % 100}`))).toBeFunction();
  }
  expect(streams.open(token("another"))).toBeUndefined();
});

test("releasing a stream twice frees one place", () => {
  const streams = createStreams();
  const [leave] = Array.from({ length: 20 }, () => streams.open(token("a")));
  leave?.();
  leave?.();
  expect(streams.open(token("a"))).toBeFunction();
  expect(streams.open(token("a"))).toBeUndefined();
});
