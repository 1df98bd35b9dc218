import type { JsonSchema } from "../base/schema.ts";

/** The header by which whoever has an answer already asks whether it is still true. */
export const ifNoneMatch: JsonSchema = {
  name: "If-None-Match",
  in: "header",
  description: "An `ETag`: answers 304 while it is still true.",
  schema: { type: "string" },
};

/** The header by which a change is tied to what it was decided on. */
export const ifMatch: JsonSchema = {
  name: "If-Match",
  in: "header",
  description: "An `ETag`: the change is made only if it is still true, else 412.",
  schema: { type: "string" },
};
