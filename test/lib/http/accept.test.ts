import { expect, test } from "bun:test";

import { wantedType } from "../../../lib/http/exchange.ts";

test("clients that accept JSON, or send no Accept, get JSON", () => {
  for (const accept of [
    null,
    "",
    " ",
    ",,,",
    "*/*",
    "application/json",
    "application/*",
    "Application/JSON",
    "application/json; charset=utf-8",
    "text/html, */*;q=0.1",
    "text/html,application/json;q=0.001",
    "application/json, application/problem+json;q=0.5",
    "application/problem+json;q=0, application/json",
    "  application/json  ",
  ]) {
    expect(wantedType(accept)).toBe("json");
  }
});

test("clients that name problem details and do not prefer JSON get them", () => {
  for (const accept of [
    "application/problem+json",
    "application/problem+json, application/json",
    "application/json;q=0.5, application/problem+json;q=0.9",
    "application/problem+json, */*;q=0.1",
    "application/json;q=0, application/problem+json",
  ]) {
    expect(wantedType(accept)).toBe("problem");
  }
});

test("clients that accept only other types, or refuse it by name, get neither", () => {
  for (const accept of [
    "text/html",
    "application/xml, image/*",
    "application/json;q=0",
    "application/json;q=0.000",
    "*/*;q=0",
    "application/*;q=0, */*",
    "application/json;q=0, */*",
    "json",
    ";",
    "application/jsonp",
  ]) {
    expect(wantedType(accept)).toBe("none");
  }
});

test("a header of any length is parsed quickly", () => {
  expect(wantedType("text/html,".repeat(100_000))).toBe("none");
});
