import { check } from "../base/check.ts";
import type { Schema } from "../base/schema.ts";
import type { Parameter } from "./parameters.ts";

/** A text that is valid for `schema`, which a body uses too. */
export function memberParameter(
  schema: Schema<string>,
  { rule, description }: { readonly rule: string; readonly description: string },
): Parameter<string> {
  return {
    description,
    json: { ...schema.json, description },
    rule,
    read: (text) => (check(schema, text).ok ? text : undefined),
  };
}
