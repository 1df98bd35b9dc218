import { expect, test } from "bun:test";

import { createContexts } from "../../../domains/tls/contexts.ts";
import { presentedFor } from "../../helpers/presented.ts";

test("a context is made once for a certificate", () => {
  const contexts = createContexts(10);
  const presented = presentedFor("one", "one.test");
  expect(contexts.of(presented)).toBe(contexts.of({ ...presented }));
});

test("another certificate has another context", () => {
  const contexts = createContexts(10);
  const first = contexts.of(presentedFor("one", "one.test"));
  expect(contexts.of(presentedFor("two", "one.test"))).not.toBe(first);
});

test("no more are kept than there is room for, and those used last", () => {
  const contexts = createContexts(2);
  const [a, b, c] = ["a", "b", "c"].map((id) => presentedFor(id, `${id}.test`));
  if (a === undefined || b === undefined || c === undefined) throw new Error("there are three");
  const first = contexts.of(a);
  const second = contexts.of(b);
  contexts.of(a);
  contexts.of(c);
  expect(contexts.size).toBe(2);
  expect(contexts.of(a)).toBe(first);
  expect(contexts.of(b)).not.toBe(second);
});

test("a key that is not the certificate's is refused", () => {
  const { privateKeyPem } = presentedFor("other", "one.test");
  const contexts = createContexts(10);
  expect(() => contexts.of({ ...presentedFor("one", "one.test"), privateKeyPem })).toThrow();
  expect(contexts.size).toBe(0);
});

test.each([
  ["one.test", true],
  ["two.test", true],
  ["a.wild.test", true],
  ["wild.test", false],
  ["a.b.wild.test", false],
  ["three.test", false],
  ["sub.one.test", false],
])("a certificate for one.test, two.test and *.wild.test is for %s: %p", (host, good) => {
  const presented = presentedFor("common.test", "one.test", "two.test", "*.wild.test");
  expect(createContexts(1).covers(presented, host)).toBe(good);
});

test("the common name of a certificate is not looked at", () => {
  const presented = presentedFor("common.test", "one.test");
  expect(createContexts(1).covers(presented, "common.test")).toBe(false);
});
