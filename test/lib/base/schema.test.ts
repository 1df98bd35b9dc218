import { describe, expect, test } from "bun:test";

import { check } from "../../../lib/base/check.ts";
import {
  array,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  oneOfNumbers,
  orFalse,
  record,
  string,
  type Schema,
} from "../../../lib/base/schema.ts";

/** `code pointer` of each fault, in order. */
function faults(schema: Schema<unknown>, value: unknown): readonly string[] {
  const checked = check(schema, value);
  return checked.ok ? [] : checked.failure.map(({ code, pointer }) => `${code} ${pointer}`);
}

const dog = object(
  { name: string((text) => (text === "" ? "must not be empty" : undefined), {}), age: integer() },
  { mood: oneOf(["calm", "wild"]) },
);

describe("an object", () => {
  test("with all required members is returned unchanged", () => {
    const value = { name: "Rex", age: 3 };
    const checked = check(dog, value);
    expect(checked).toEqual({ ok: true, value });
  });

  test("is not an array, a string, a number, null or undefined", () => {
    for (const value of [[], [{ name: "Rex", age: 3 }], "Rex", 1, null, undefined, true]) {
      expect(faults(dog, value)).toEqual(["invalid_body "]);
      expect(faults(object({}, { age: integer() }), value)).toEqual(["invalid_body "]);
    }
  });

  test("reports its faults in the order of its members, missing ones last", () => {
    expect(faults(dog, { mood: "sad", colour: "brown", name: "" })).toEqual([
      "invalid_value /mood",
      "unknown_field /colour",
      "invalid_value /name",
      "missing_field /age",
    ]);
  });

  test("reports at most twenty faults", () => {
    const value = Array.from({ length: 500 }, () => "x");
    const schema = object({ list: array(integer()) });
    expect(faults(schema, { list: value })).toHaveLength(20);
  });

  test("does not treat members called __proto__ as its own", () => {
    const value: unknown = JSON.parse('{"name":"Rex","age":3,"__proto__":{"mood":"wild"}}');
    expect(faults(dog, value)).toEqual(["unknown_field /__proto__"]);
  });

  test("suggests the nearest known name, quoting the unknown one without control characters", () => {
    const first = (value: unknown): string | undefined => {
      const checked = check(dog, value);
      return checked.ok ? undefined : checked.failure[0].message;
    };
    expect(first({ "na\u0007me": 1 })).toContain("na\u{FFFD}me");
    expect(first({ naem: 1 })).toContain('Did you mean "name"?');
  });

  test("points to members by JSON Pointer, with slashes and tildes escaped", () => {
    expect(faults(dog, { name: "x", age: 1, "a/b~c": 1 })).toEqual(["unknown_field /a~1b~0c"]);
  });
});

describe("an integer", () => {
  test("is exact and within its bounds", () => {
    const schema = object({ n: integer({ minimum: 1, maximum: 10 }) });
    for (const n of [1, 10]) expect(faults(schema, { n })).toEqual([]);
    for (const n of [0, 11, 1.5, NaN, Infinity, 2 ** 53, "1", null, true]) {
      expect(faults(schema, { n })).toEqual(["invalid_value /n"]);
    }
  });

  test("states its bounds in JSON Schema", () => {
    expect(integer({ minimum: 1, maximum: 10, description: "A die" }).json).toEqual({
      type: "integer",
      format: "int64",
      minimum: 1,
      maximum: 10,
      description: "A die",
    });
  });
});

test("a choice accepts only its values", () => {
  const schema = object({ mood: oneOf(["calm", "wild"]) });
  expect(faults(schema, { mood: "calm" })).toEqual([]);
  for (const mood of ["Calm", "", null, 0, "toString"]) {
    expect(faults(schema, { mood })).toEqual(["invalid_value /mood"]);
  }
});

test("a nullable also accepts null, a boolean true and false, and an array items of one kind", () => {
  const schema = object({ a: nullable(boolean()), b: array(integer()) });
  expect(faults(schema, { a: null, b: [] })).toEqual([]);
  expect(faults(schema, { a: true, b: [1, 2] })).toEqual([]);
  expect(faults(schema, { a: 0, b: [1, "2"] })).toEqual(["invalid_value /a", "invalid_value /b/1"]);
});

test("nested faults are reported in document order, and unknown names with the nearest name at that place", () => {
  const schema = object(
    {},
    { a: object({}, { first: integer(), second: integer() }), b: integer() },
  );
  const checked = check(schema, { b: "x", a: { second: "x", frist: 1, first: "x" } });
  expect(!checked.ok && checked.failure.map(({ pointer }) => pointer)).toEqual([
    "/b",
    "/a/second",
    "/a/frist",
    "/a/first",
  ]);
  expect(!checked.ok && checked.failure[2]?.message).toContain('Did you mean "first"?');
});

test("a list has a limited number of items, and an item's fault names the list", () => {
  const schema = object({ list: array(integer(), { minItems: 1, maxItems: 2 }) });
  for (const list of [[1], [1, 2]]) expect(faults(schema, { list })).toEqual([]);
  for (const list of [[], [1, 2, 3], {}, "x"]) {
    expect(faults(schema, { list })).toEqual(["invalid_value /list"]);
  }
  const checked = check(schema, { list: [1, "x"] });
  expect(!checked.ok && checked.failure[0].message).toStartWith('"list[1]" must be');
});

test("a record accepts its names and values, up to its number of members", () => {
  const name = string(
    (text) => (/^[a-z]+$/.test(text) ? undefined : "must be in small letters"),
    {},
  );
  const schema = object({ all: record(name, integer(), { maxProperties: 2 }) });
  expect(faults(schema, { all: { a: 1, b: 2 } })).toEqual([]);
  expect(faults(schema, { all: { a: "1" } })).toEqual(["invalid_value /all/a"]);
  expect(faults(schema, { all: { "A/B": 1 } })).toEqual(["invalid_value /all/A~1B"]);
  for (const all of [{ a: 1, b: 2, c: 3 }, [], null]) {
    expect(faults(schema, { all })).toEqual(["invalid_value /all"]);
  }
});

test("an optional feature is false or an object that reports its own faults", () => {
  const schema = object({ part: orFalse(object({ n: integer() })) });
  expect(faults(schema, { part: false })).toEqual([]);
  expect(faults(schema, { part: { n: 1 } })).toEqual([]);
  expect(faults(schema, { part: { n: "x" } })).toEqual(["invalid_value /part/n"]);
  expect(faults(schema, { part: true })).toEqual(["invalid_value /part"]);
});

test("a choice of numbers accepts no other number and no string", () => {
  const schema = object({ status: oneOfNumbers([301, 308]) });
  expect(faults(schema, { status: 308 })).toEqual([]);
  for (const status of [302, "308", null]) {
    expect(faults(schema, { status })).toEqual(["invalid_value /status"]);
  }
});
