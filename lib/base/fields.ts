/** What becomes of a new row that omits a field: it is refused, it gets the default, or it lacks the field. */
export type FieldKind = "required" | "default" | "optional";

type IsOptional<Row, Name extends keyof Row> = object extends Pick<Row, Name> ? true : false;

/** The kind of every field of a row, in the order in which fields are sent, stored and exported. */
export type FieldKinds<Row, Defaults> = {
  readonly [Name in keyof Row]-?: IsOptional<Row, Name> extends true
    ? "optional"
    : Name extends keyof Defaults
      ? "default"
      : "required";
};

/** A row in which null, as in SQL and in a PATCH, or undefined means that the row lacks the field. */
export type WithNulls<Row> = {
  readonly [Name in keyof Row]:
    | Row[Name]
    | (IsOptional<Row, Name> extends true ? null | undefined : never);
};

/** Some fields of a row, as a caller sends them. Undefined leaves the field as it is; null removes an optional one. */
export type FieldChanges<Row> = {
  readonly [Name in keyof Row]?: WithNulls<Row>[Name] | undefined;
};

/** A new row as a caller sends it, without the fields that it omits. */
export type NewRow<Row, Defaults> = Omit<Row, keyof Defaults> & {
  readonly [Name in keyof Row]?: Row[Name] | undefined;
};

/** A row that names all of its fields: undefined are those that it lacks. A form returns one, so that it forgets no field. */
export type EveryField<Row> = {
  readonly [Name in keyof Row]-?:
    | Exclude<Row[Name], undefined>
    | (IsOptional<Row, Name> extends true ? undefined : never);
};

/** The fields of a row that callers set, and what can be done with any of them. */
export interface Fields<Row extends object> {
  readonly names: readonly (keyof Row & string)[];
  /** Those that a row may lack. */
  readonly optional: readonly (keyof Row & string)[];
  /** Returns the fields of a row, without other members and without those that it lacks. */
  readonly of: (row: WithNulls<Row>) => Row;
  /** Returns the fields that `input` names. */
  readonly namedIn: (input: FieldChanges<Row>) => Partial<WithNulls<Row>>;
  /** Returns the fields of `to` that differ from those of `from`; null for those that only `from` has. */
  readonly changes: (from: Row, to: EveryField<Row>) => Partial<WithNulls<Row>>;
}

/** Declares the fields of a row. */
export function fieldsOf<Row extends object>(
  kinds: Readonly<Record<keyof Row & string, FieldKind>>,
): Fields<Row> {
  type Name = keyof Row & string;
  type Values = { [Field in Name]?: unknown };
  // The keys of a literal that the compiler has compared with `Row`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const names = Object.keys(kinds) as Name[];
  const picked = (row: Values, wanted: (name: Name) => boolean): Values => {
    const found: Values = {};
    for (const name of names) if (wanted(name)) found[name] = row[name] ?? null;
    return found;
  };
  // Each value keeps its own name, and only the value of an optional field is null.
  /* oxlint-disable typescript/no-unsafe-type-assertion */
  return {
    names,
    optional: names.filter((name) => kinds[name] === "optional"),
    of: (row) => {
      const fields: Values = {};
      // A loop: lists call this for each of their rows.
      for (const name of names) {
        const value = row[name];
        if (value !== undefined && value !== null) fields[name] = value;
      }
      return fields as Row;
    },
    namedIn: (input) => picked(input, (name) => input[name] !== undefined) as never,
    changes: (from, to) => picked(to, (name) => to[name] !== from[name]) as never,
  };
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}
