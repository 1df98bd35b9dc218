import type { ImportRequest } from "../../../../../lib/import/choices-schema.ts";
import type { ImportField } from "../../../../../lib/import/fields.ts";

/** Says that a column gives a field, or that no column does. */
export function withColumn(
  request: ImportRequest,
  field: ImportField,
  column: number | undefined,
): ImportRequest {
  const others = (request.map ?? []).filter((one) => one.field !== field);
  return {
    ...request,
    map: [...others, { field, column: column === undefined ? "" : `#${column}` }],
  };
}

/** Says what a column is used for. `before` is what it gave. */
export function withField(
  request: ImportRequest,
  column: number,
  before: readonly ImportField[],
  field: ImportField | undefined,
): ImportRequest {
  const name = `#${column}`;
  const others = (request.map ?? []).filter((one) => one.column !== name && one.field !== field);
  const freed = before
    .filter((one) => one !== field && !others.some((other) => other.field === one))
    .map((one) => ({ field: one, column: "" }));
  const chosen = field === undefined ? [] : [{ field, column: name }];
  return { ...request, map: [...others, ...freed, ...chosen] };
}

/** Says what a value means. */
export function withValue(
  request: ImportRequest,
  field: ImportField,
  found: string,
  value: string,
): ImportRequest {
  const others = (request.values ?? []).filter((one) => one.field !== field || one.found !== found);
  return { ...request, values: [...others, { field, found, value }] };
}
