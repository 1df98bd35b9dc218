import { expect, test } from "bun:test";

import { acceptedEncodings, encodingReader } from "../../../lib/http/gzip.ts";

test.each([
  [null, "identity"],
  ["", "identity"],
  ["identity", "identity"],
  ["gzip", "gzip identity"],
  ["gzip, deflate, br, zstd", "br gzip identity"],
  ["GZIP , Br", "br gzip identity"],
  ["x-gzip", "gzip identity"],
  ["br;q=0.5, gzip;q=0.9", "gzip br identity"],
  ["br;q=0.5,gzip;q=0.5", "br gzip identity"],
  ["gzip;q=0.5, identity", "identity gzip"],
  ["gzip;q=0.5, *;q=0.8", "br identity gzip"],
  ["*", "br gzip identity"],
  ["*;q=0", "identity"],
  ["identity;q=0", "identity"],
  ["identity;q=0, br;q=0.1", "br identity"],
  ["br;q=0, *", "gzip identity"],
  ["gzip;q=0", "identity"],
  ["gzip;q=2", "identity"],
  ["gzip;q=-1", "identity"],
  ["gzip;q=nonsense", "identity"],
  ["gzip; Q = 0.3", "gzip identity"],
  ["deflate, zstd", "identity"],
  [",,;,;;=", "identity"],
] as const)("Accept-Encoding %p selects the encodings %s, in that order", (header, encodings) => {
  expect(acceptedEncodings(header).join(" ")).toBe(encodings);
});

test("only the first 500 characters of the header are read", () => {
  expect(acceptedEncodings(`${"x,".repeat(249)} gzip`)).toEqual(["identity"]);
});

test("a cached result equals a fresh one, for any number of headers", () => {
  const read = encodingReader();
  for (let index = 0; index < 300; index++) {
    const header = `br;q=${index / 300}, gzip;q=0.5`;
    expect(read(header)).toEqual(acceptedEncodings(header));
    expect(read(header)).toEqual(acceptedEncodings(header));
  }
  expect(read(null)).toEqual(["identity"]);
});
