import { expect, test } from "bun:test";

import {
  changedFields,
  fieldNames,
  fieldsIn,
  fieldsOf,
  type EveryField,
  type FieldChanges,
  type FieldKinds,
  type WithNulls,
} from "../../../lib/base/fields.ts";
import { exampleRow, rowSchemas } from "../../../lib/base/row-schemas.ts";
import { check } from "../../../lib/base/check.ts";
import { integer, oneOf, type Schema } from "../../../lib/base/schema.ts";
import { lacking } from "../../../lib/sql/rows.ts";

// A row with a field of every kind.

interface Toy {
  readonly price: number;
  readonly size: "small" | "large";
  readonly age?: number;
}

const defaults = { size: "small" } as const;
const kinds: FieldKinds<Toy, typeof defaults> = {
  price: "required",
  size: "default",
  age: "optional",
};
const names = fieldNames<Toy>(kinds);
const toy = {
  of: (row: WithNulls<Toy>) => fieldsOf<Toy>(names, row),
  namedIn: (input: FieldChanges<Toy>) => fieldsIn<Toy>(names, input),
  changes: (from: Toy, to: EveryField<Toy>) => changedFields<Toy>(names, from, to),
};
const fields = {
  price: integer({ minimum: 1, examples: [3] }),
  size: oneOf(["small", "large"]),
  age: integer({ minimum: 0, examples: [7] }),
};
const { created, changed, stored } = rowSchemas<Toy, typeof defaults>(kinds, fields);

const whole = { price: 1, size: "small", age: 2 } as const;

test("a row is read without other members and without the fields that it lacks", () => {
  expect(names).toEqual(["price", "size", "age"]);
  expect(fieldNames<Toy>(kinds, "optional")).toEqual(["age"]);
  expect(toy.of({ ...whole, id: 9 } as Toy)).toStrictEqual(whole);
  expect(toy.of({ price: 1, size: "small" })).toStrictEqual({ price: 1, size: "small" });
  expect(toy.of({ ...whole, age: null })).toStrictEqual({ price: 1, size: "small" });
});

test("null is a change, and undefined is none", () => {
  expect(toy.namedIn({ price: undefined, age: null })).toStrictEqual({ age: null });
  expect(toy.namedIn({ age: 0, id: 9 } as object)).toStrictEqual({ age: 0 });
});

test("the changes from one row to another contain null for each field that it is to lack", () => {
  const without: Toy = { price: 2, size: "small" };
  expect(toy.changes(whole, { ...without, age: undefined })).toStrictEqual({ price: 2, age: null });
  expect(toy.changes(without, { ...whole, price: 2 })).toStrictEqual({ age: 2 });
  expect(toy.changes(without, { ...without, age: undefined })).toStrictEqual({});
});

const accepts = (schema: Schema<unknown>, value: unknown): boolean => check(schema, value).ok;

test("a new row may omit fields with a default and optional ones, a stored row only the latter", () => {
  expect(accepts(created, { price: 1 })).toBe(true);
  expect(accepts(stored, { price: 1 })).toBe(false);
  for (const schema of [created, stored]) {
    expect(accepts(schema, { price: 1, size: "large" })).toBe(true);
    expect(accepts(schema, whole)).toBe(true);
    expect(accepts(schema, { size: "large", age: 1 })).toBe(false);
    expect(accepts(schema, { ...whole, age: null })).toBe(false);
    expect(accepts(schema, { ...whole, age: -1 })).toBe(false);
  }
});

test("a change may name any field, and null only for an optional one", () => {
  for (const one of [{}, { price: 2 }, { size: "large" }, { age: 0 }, { age: null }]) {
    expect(accepts(changed, one)).toBe(true);
  }
  for (const one of [{ price: null }, { size: null }, { age: -1 }, { id: 1 }]) {
    expect(accepts(changed, one)).toBe(false);
  }
});

test("an example has every field, and a field without an example is an error", () => {
  expect(exampleRow<Toy>(fields)).toStrictEqual({ price: 3, size: "small", age: 7 });
  expect(() => exampleRow<Toy>({ ...fields, age: integer() })).toThrow("needs an example");
});

test("a row of SQL loses its members that are NULL in the named columns", () => {
  const row = { price: 1, age: null, other: null };
  expect(lacking(row, ["age", "price"])).toStrictEqual({ price: 1, other: null });
});
