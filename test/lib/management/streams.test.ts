import { expect, test } from "bun:test";
import { createStreams } from "../../../lib/management/streams.ts";

test("a caller has twenty places, whatever others have", () => {
  const streams = createStreams();
  for (let count = 0; count < 20; count++) expect(streams.open("a")).toBeFunction();
  expect(streams.open("a")).toBeUndefined();
  expect(streams.open("b")).toBeFunction();
});

test("all together have a thousand places", () => {
  const streams = createStreams();
  for (let count = 0; count < 1_000; count++) {
    expect(streams.open(`caller ${count % 100}`)).toBeFunction();
  }
  expect(streams.open("another")).toBeUndefined();
});

test("a place that is given back twice is free once", () => {
  const streams = createStreams({ ofCaller: 2 });
  const leave = streams.open("a");
  streams.open("a");
  leave?.();
  leave?.();
  expect(streams.open("a")).toBeFunction();
  expect(streams.open("a")).toBeUndefined();
});
