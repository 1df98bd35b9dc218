import { expect, test } from "bun:test";

import { purposeOf } from "../../../domains/tls/client-hello.ts";

const kindOf = (...protocols: readonly string[]): string =>
  purposeOf({ serverName: "one.test", protocols }).kind;

test("whoever speaks HTTP is a visitor", () => {
  expect(kindOf("h2")).toBe("visit");
  expect(kindOf("http/1.1", "h2")).toBe("visit");
  expect(kindOf("smtp", "http/1.1")).toBe("visit");
});

test("whoever says nothing of protocols is a visitor", () => {
  expect(kindOf()).toBe("visit");
});

test("acme-tls/1 alone is a validation, and beside anything else it is not", () => {
  expect(kindOf("acme-tls/1")).toBe("validation");
  expect(kindOf("acme-tls/1", "h2")).toBe("visit");
  expect(kindOf("acme-tls/1", "acme-tls/1")).toBe("none");
});

test("whoever names no host, or speaks nothing of ours, is told which of the two", () => {
  expect(purposeOf({ serverName: undefined, protocols: ["acme-tls/1"] })).toEqual({
    kind: "none",
    reason: "unrecognized_name",
  });
  expect(purposeOf({ serverName: "one.test", protocols: ["smtp"] })).toEqual({
    kind: "none",
    reason: "no_application_protocol",
  });
});
