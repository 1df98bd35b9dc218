/** A new row without a required field is refused; one without a field of the other kinds gets the default, or lacks the field. */
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

type NameOf<Row> = keyof Row & string;
type Values<Row> = { [Field in NameOf<Row>]?: unknown };

/** Returns the names of the declared fields, or those of one kind. */
export function fieldNames<Row extends object>(
  kinds: Readonly<Record<NameOf<Row>, FieldKind>>,
  kind?: FieldKind,
): readonly NameOf<Row>[] {
  // The keys of a literal that the compiler has compared with `Row`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const names = Object.keys(kinds) as NameOf<Row>[];
  return names.filter((name) => kind === undefined || kinds[name] === kind);
}

/** Returns the fields of a row, without other members and without those that it lacks. */
export function fieldsOf<Row extends object>(
  names: readonly NameOf<Row>[],
  row: WithNulls<Row>,
): Row {
  const fields: Values<Row> = {};
  // A loop: lists call this for each of their rows.
  for (const name of names) {
    const value = row[name];
    if (value !== undefined && value !== null) fields[name] = value;
  }
  // Only optional fields can be missing.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return fields as Row;
}

/** Returns the fields that `input` names. */
export function fieldsIn<Row extends object>(
  names: readonly NameOf<Row>[],
  input: FieldChanges<Row>,
): Partial<WithNulls<Row>> {
  return picked(names, input, (name) => input[name] !== undefined);
}

/** Returns the fields of `to` that differ from those of `from`; null for those that only `from` has. */
export function changedFields<Row extends object>(
  names: readonly NameOf<Row>[],
  from: Row,
  to: EveryField<Row>,
): Partial<WithNulls<Row>> {
  return picked(names, to, (name) => to[name] !== from[name]);
}

function picked<Row extends object>(
  names: readonly NameOf<Row>[],
  row: Values<Row>,
  wanted: (name: NameOf<Row>) => boolean,
): Partial<WithNulls<Row>> {
  const found: Values<Row> = {};
  for (const name of names) if (wanted(name)) found[name] = row[name] ?? null;
  // Each value keeps its own name, and only the value of an optional field is null.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return found as Partial<WithNulls<Row>>;
}
