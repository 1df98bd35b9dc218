import { expect, test } from "bun:test";

import { purposeOf } from "../../../domains/tls/client-hello.ts";

const kindOf = (...protocols: readonly string[]): string =>
  purposeOf({ serverName: "one.test", protocols }).kind;

test("a client that offers HTTP is a visitor", () => {
  expect(kindOf("h2")).toBe("visit");
  expect(kindOf("http/1.1", "h2")).toBe("visit");
  expect(kindOf("smtp", "http/1.1")).toBe("visit");
});

test("a client without protocols is a visitor", () => {
  expect(kindOf()).toBe("visit");
});

test("acme-tls/1 alone is a validation, but not beside other protocols", () => {
  expect(kindOf("acme-tls/1")).toBe("validation");
  expect(kindOf("acme-tls/1", "h2")).toBe("visit");
  expect(kindOf("acme-tls/1", "acme-tls/1")).toBe("none");
});

test("a missing server name and unsupported protocols are distinguished", () => {
  expect(purposeOf({ serverName: undefined, protocols: ["acme-tls/1"] })).toEqual({
    kind: "none",
    reason: "unrecognized_name",
  });
  expect(purposeOf({ serverName: "one.test", protocols: ["smtp"] })).toEqual({
    kind: "none",
    reason: "no_application_protocol",
  });
});
