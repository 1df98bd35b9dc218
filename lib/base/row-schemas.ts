import type { FieldChanges, FieldKind, FieldKinds, NewRow } from "./fields.ts";
import { nullable, object, type Schema } from "./schema.ts";

/** The schema of each field of a row. */
export type FieldSchemas<Row> = {
  readonly [Name in keyof Row]-?: Schema<Exclude<Row[Name], undefined>>;
};

/** The schemas of a row that follow from those of its fields. */
export interface RowSchemas<Row, Defaults> {
  /** A new row, as a caller sends it. */
  readonly created: Schema<NewRow<Row, Defaults>>;
  /** A change, as a caller sends it: it may omit every field, and null removes an optional one. */
  readonly changed: Schema<FieldChanges<Row>>;
  /** A stored row. It may lack the optional fields only. */
  readonly stored: Schema<Row>;
}

/** Derives the schemas of a row. */
// @__NO_SIDE_EFFECTS__
export function rowSchemas<Row extends object, Defaults>(
  kinds: FieldKinds<Row, Defaults>,
  fields: FieldSchemas<Row>,
): RowSchemas<Row, Defaults> {
  const kindOf: Readonly<Record<string, FieldKind>> = kinds;
  const schemas: Readonly<Record<string, Schema<unknown>>> = fields;
  const some = (...wanted: readonly FieldKind[]): Record<string, Schema<unknown>> =>
    Object.fromEntries(
      Object.entries(schemas).filter(([name]) => wanted.includes(kindOf[name] ?? "optional")),
    );
  const removable = Object.entries(some("optional")).map(([name, one]) => [name, nullable(one)]);
  // The members and the types follow from the same kinds.
  /* oxlint-disable typescript/no-unsafe-type-assertion */
  return {
    created: object(some("required"), some("default", "optional")) as never,
    changed: object({}, { ...schemas, ...Object.fromEntries(removable) }) as never,
    stored: object(some("required", "default"), some("optional")) as never,
  };
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}

/** Returns the first example that the schema gives, or the first value of a closed set. Throws if it has neither. */
// @__NO_SIDE_EFFECTS__
export function exampleOf<Value>({ json }: Schema<Value>): Value {
  const [example] = [json["examples"], json["enum"]].flatMap((values) => values ?? []);
  if (example === undefined) throw new TypeError("A field of a row needs an example.");
  // Tests send the examples, so they have the type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return example as Value;
}

/** Returns a row that has the example of each of its fields. */
// @__NO_SIDE_EFFECTS__
export function exampleRow<Row extends object>(fields: FieldSchemas<Row>): Row {
  const schemas: Readonly<Record<string, Schema<unknown>>> = fields;
  const members = Object.entries(schemas).map(([name, schema]) => [name, exampleOf(schema)]);
  // The members and the type are those of the same fields.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(members) as Row;
}
