import * as fc from "fast-check";

import type { Description, Located, Parameter, Schema } from "../helpers/description.ts";
import { matching } from "./around.ts";
import { anyCharacter } from "../helpers/any-character.ts";

/** A request to an operation. */
export interface Generated {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text of the body, if there is one. */
  readonly body?: string;
}

/** Values that match the schema. */
export function fitting(api: Description, schema: Schema): fc.Arbitrary<unknown> {
  const {
    type,
    enum: values,
    minimum = 0,
    maximum = Number.MAX_SAFE_INTEGER,
    minLength = 0,
    maxLength = 40,
    pattern,
    items = {},
    maxItems = 5,
    properties = {},
    required = [],
  } = api.resolve(schema);
  if (values !== undefined) return fc.constantFrom(...values);
  if (type === "integer") {
    return fc.oneof(
      fc.integer({ min: minimum, max: Math.min(maximum, minimum + 5) }),
      fc.maxSafeInteger().filter((value) => value >= minimum && value <= maximum),
    );
  }
  if (type === "string") {
    const unit = fc.constantFrom("a", "B", " ", "é", "9", "_", "🐕");
    const plain = fc.string({ minLength, maxLength: Math.min(maxLength, 200), unit });
    return matching(pattern) ?? plain;
  }
  if (type === "boolean") return fc.boolean();
  if (type === "array") {
    return fc.array(fitting(api, items), { minLength: 1, maxLength: Math.min(maxItems, 5) });
  }
  if (type === "object") {
    const members: Readonly<Record<string, fc.Arbitrary<unknown>>> = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, fitting(api, member)]),
    );
    return fc.record(members, { requiredKeys: [...required] });
  }
  return fc.jsonValue();
}

/** Almost valid values: of another type, just out of range, or hostile. */
const astray: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(0, -1, 1.5, 2 ** 53, 1e300, "", " ", "\u0000", "\ud800", null, true, [], {}),
  fc.string({ unit: anyCharacter, maxLength: 200 }),
);

/** Mostly matching values, sometimes others. */
function nearly(right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: right, weight: 5 }, { arbitrary: astray, weight: 1 });
}

function bodies(api: Description, schema: Schema): fc.Arbitrary<string> {
  const right = fitting(api, schema);
  const { properties = {} } = api.resolve(schema);
  const changed = fc
    .tuple(right, fc.constantFrom("surprise", ...Object.keys(properties)), astray, fc.boolean())
    .map(([value, name, other, drop]) => {
      const members = { ...(value as Readonly<Record<string, unknown>>) };
      return Object.fromEntries([
        ...Object.entries(members).filter(([key]) => key !== name),
        ...(drop ? [] : [[name, other] as const]),
      ]);
    });
  return fc.oneof(
    { arbitrary: right.map((value) => JSON.stringify(value)), weight: 6 },
    { arbitrary: changed.map((value) => JSON.stringify(value)), weight: 4 },
    { arbitrary: astray.map((value) => JSON.stringify(value)), weight: 1 },
    { arbitrary: fc.string({ maxLength: 60 }), weight: 1 },
    {
      arbitrary: fc
        .tuple(right, fc.nat(200))
        .map(([value, length]) => JSON.stringify(value).slice(0, length)),
      weight: 1,
    },
  );
}

function textOf(value: unknown): string {
  const text = Array.isArray(value) ? value.join(",") : String(value);
  return encodeURIComponent(text.toWellFormed());
}

function queries(api: Description, parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const known = parameters.filter((parameter) => parameter.in === "query");
  const parts = known.map(({ name, schema }) =>
    fc.option(
      nearly(fitting(api, schema)).map((value) => `${name}=${textOf(value)}`),
      { freq: 2, nil: "" },
    ),
  );
  const stray = fc.option(fc.webQueryParameters(), { freq: 8, nil: "" });
  return fc.tuple(...parts, stray).map((texts) => {
    const query = texts.filter((text) => text !== "").join("&");
    return query === "" ? "" : `?${query}`;
  });
}

const headers: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .record(
    {
      accept: fc.constantFrom("application/json", "*/*", "application/*;q=0.3", "text/html", ";"),
      "content-type": fc.constantFrom("application/json; charset=utf-8", "text/plain", "x"),
      "if-match": fc.constantFrom("*", '"1-1-x"', "nonsense"),
      "if-none-match": fc.constantFrom("*", 'W/"0"', "nonsense"),
      "idempotency-key": fc.constantFrom("a", "b", '"c"', "two words"),
      "x-request-id": fc.constantFrom("request-0001", "?"),
    },
    { requiredKeys: [] },
  )
  .chain((all) =>
    fc
      .subarray(Object.entries(all))
      .map((some) => Object.fromEntries(some) as Readonly<Record<string, string>>),
  );

/** Requests to an operation, many of them valid. `paths` are valid and invalid paths. */
export function requests(
  api: Description,
  operation: Located,
  paths: fc.Arbitrary<string> = numbered(operation),
): fc.Arbitrary<Generated> {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const body = schema === undefined ? fc.constant(undefined) : bodies(api, schema);
  return fc
    .record({ path: paths, query: queries(api, operation.parameters), headers, body })
    .map((parts) => ({
      path: parts.path + parts.query,
      headers: {
        ...(parts.body === undefined ? {} : { "content-type": "application/json" }),
        ...parts.headers,
      },
      ...(parts.body === undefined ? {} : { body: parts.body }),
    }));
}

/** Paths of the public API, whose parameters are numbers. */
function numbered(operation: Located): fc.Arbitrary<string> {
  const id = fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 6 }).map(String), weight: 6 },
    { arbitrary: fc.constantFrom("0", "01", "-1", "x", "9007199254740992", "%00"), weight: 1 },
    {
      arbitrary: fc.webSegment({ size: "xsmall" }).filter((text) => !/^\.{0,2}$/.test(text)),
      weight: 1,
    },
  );
  return id.map((text) => `/v1${operation.path.replace(/\{\w+\}/, text)}`);
}
