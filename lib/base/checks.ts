import * as v from "valibot";
import { isObject } from "./field-error.ts";

export { safeParse } from "valibot";

/** Checks a value and passes it on unchanged. */
export type Check<Value, Input = unknown> = v.GenericSchema<Input, Value>;
/** A fault, as the library reports it. */
export type Issue = v.BaseIssue<unknown>;

/** The functions of valibot from which the schemas make their checks. */
export const checks = {
  array: v.array,
  boolean: v.boolean,
  custom: v.custom,
  isObject,
  lazy: v.lazy,
  literal: v.literal,
  maxEntries: v.maxEntries,
  maxLength: v.maxLength,
  maxValue: v.maxValue,
  minLength: v.minLength,
  minValue: v.minValue,
  nullable: v.nullable,
  number: v.number,
  optional: v.optional,
  picklist: v.picklist,
  pipe: v.pipe,
  rawCheck: v.rawCheck,
  record: v.record,
  safeInteger: v.safeInteger,
  strictObject: v.strictObject,
  string: v.string,
  unknown: v.unknown,
};
/** The functions from which a schema makes its check. */
export type Checks = typeof checks;
