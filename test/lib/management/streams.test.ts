import { expect, test } from "bun:test";
import { createStreams } from "../../../lib/management/sse.ts";

/** A token of an account. */
function token(counter: string, accountId = `account of ${counter}`) {
  return { counter, accountId };
}

test("a caller has twenty places, whatever others have", () => {
  const streams = createStreams();
  for (let count = 0; count < 20; count++) expect(streams.open(token("a"))).toBeFunction();
  expect(streams.open(token("a"))).toBeUndefined();
  expect(streams.open(token("b"))).toBeFunction();
});

test("an account has a hundred places, however many tokens it makes", () => {
  const streams = createStreams();
  for (let count = 0; count < 100; count++) {
    expect(streams.open(token(`token ${count % 10}`, "acc_one"))).toBeFunction();
  }
  expect(streams.open(token("another", "acc_one"))).toBeUndefined();
  expect(streams.open(token("another", "acc_two"))).toBeFunction();
  expect(streams.open({ counter: "operator", accountId: undefined })).toBeFunction();
});

test("all together have a thousand places", () => {
  const streams = createStreams();
  for (let count = 0; count < 1_000; count++) {
    expect(streams.open(token(`caller ${count % 100}`))).toBeFunction();
  }
  expect(streams.open(token("another"))).toBeUndefined();
});

test("a place that is given back twice is free once", () => {
  const streams = createStreams();
  const [leave] = Array.from({ length: 20 }, () => streams.open(token("a")));
  leave?.();
  leave?.();
  expect(streams.open(token("a"))).toBeFunction();
  expect(streams.open(token("a"))).toBeUndefined();
});
