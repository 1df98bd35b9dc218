import * as fc from "fast-check";

/** The subset of JSON Schema that the documents use. */
export interface AnySchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly AnySchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: AnySchema;
  readonly propertyNames?: AnySchema;
  readonly additionalProperties?: AnySchema | boolean;
  readonly properties?: Readonly<Record<string, AnySchema>>;
  readonly required?: readonly string[];
}

/** Texts at the limits of the rules for text. */
const edgyTexts = [
  "",
  " ",
  "\t",
  "\n",
  "\u00A0",
  "\uFEFF",
  "Rex",
  " Rex ",
  "Rex\n",
  "R\nx",
  "R\tx",
  "\u0000",
  "\u007F",
  "R\u0085x",
  "\u200B",
  "\u200D\u2060",
  "\u200Ex",
  "\u3164",
  "\u2800",
  "\uFE0F",
  "\u{1D173}x",
  "R\u202Ex",
  "\u2066x\u2069",
  "🐕",
  "é",
  "__proto__",
  "null",
  "-1",
  "0",
  "01",
  "1e2",
  "1,2",
  "true",
  "#1f6feb",
  "www",
  "ns12",
  "brave-otter",
  "brave--otter",
  "/old-page",
  "a@b",
  "ada@shelter.org",
  "ADA@Shelter.org ",
  "a b@c",
  "x@-y.org",
  "pets.example.org",
  "203.0.113.0/24",
  "203.0.113.0/33",
  "2001:db8::/48",
  "2001:db8::1",
  "::ffff:203.0.113.9",
  "https://pets.example.org/",
  "2026-11-20T09:30:00Z",
  "2026-02-30T09:30:00Z",
  "1969-12-31T23:59:59Z",
  "2026-11-20t09:30:00z",
  "2026-11-20T09:30:00+01:00",
  "2026-11-20",
];

const edgyNumbers = [0, -0, 1, -1, 0.5, 1e2, 2 ** 31, 2 ** 53, -(2 ** 53), 1e300, Infinity];

/** Arbitrary values. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], ...edgyNumbers, ...edgyTexts),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Values that mostly match the schema, or almost do. */
export function around(schema: AnySchema): fc.Arbitrary<unknown> {
  const near = nearby(schema);
  return fc.oneof({ arbitrary: near, weight: 12 }, { arbitrary: anyValue, weight: 1 });
}

function nearby(schema: AnySchema): fc.Arbitrary<unknown> {
  const { type, enum: values, examples = [], anyOf } = schema;
  if (values !== undefined) return fc.constantFrom(...values, `${String(values[0])} `, "other");
  if ("const" in schema) return fc.constantFrom(schema.const, null);
  // An object's alternatives constrain its members together, so the members themselves are varied.
  if (anyOf !== undefined && schema.properties === undefined) {
    const { anyOf: _, ...rest } = schema;
    return fc.oneof(...anyOf.map((one) => nearby({ ...rest, ...one })));
  }
  const shown = examples.length === 0 ? [] : [fc.constantFrom(...examples)];
  switch (type) {
    case "integer":
    case "number":
      return fc.oneof(...shown, numbers(schema));
    case "string":
      return fc.oneof(...shown, texts(schema));
    case "boolean":
      return fc.boolean();
    case "array":
      return lists(schema);
    case "object":
      return schema.properties === undefined ? maps(schema) : objects(schema);
    case undefined:
    default:
      return anyValue;
  }
}

function numbers({ minimum = -1, maximum = 1_000 }: AnySchema): fc.Arbitrary<number> {
  const edges = [minimum, maximum].flatMap((edge) => [edge - 1, edge, edge + 1, edge + 0.5]);
  return fc.oneof(
    fc.constantFrom(...edges, ...edgyNumbers),
    fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31) }),
  );
}

function texts({ minLength = 0, maxLength: most = 40, pattern }: AnySchema): fc.Arbitrary<string> {
  const units = ["x", "🐕", "7", "é"];
  const long = units.flatMap((unit) =>
    [minLength, most, most + 1].flatMap((length) => {
      const text = unit.repeat(Math.max(0, length));
      return [text, ` ${text}\u3000`, `${text.slice(0, -1)}\u200B`];
    }),
  );
  const matched = matching(pattern);
  return fc
    .oneof(
      fc.constantFrom(...edgyTexts),
      fc.constantFrom(...long),
      fc.array(fc.nat(0xffff), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
      fc.string({
        unit: fc.constantFrom("a", "B", " ", "-", ".", "@", "7", "\u200B", "é"),
        maxLength: 12,
      }),
      ...(matched === undefined ? [] : [matched]),
    )
    .filter((text) => isComparable(text, most));
}

/** Texts that match `pattern`; undefined if it is absent, long, or names characters by number. */
export function matching(pattern: string | undefined): fc.Arbitrary<string> | undefined {
  if (pattern === undefined || pattern.length >= 120 || pattern.includes("\\u")) return undefined;
  return fc.stringMatching(new RegExp(pattern));
}

/**
 * Rules that JSON Schema cannot express are tested elsewhere: lengths count in NFC after trimming, and lone surrogates
 * are invalid. A portable pattern cannot name characters beyond U+FFFF either.
 */
function isComparable(text: string, most: number): boolean {
  const length = Array.from(text).length;
  if (!text.isWellFormed() || length !== Array.from(text.normalize("NFC")).length) return false;
  if (/^[\s\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]+$/u.test(text))
    return text.trim() === "";
  const trimmed = text.replaceAll(/^[\s\u200B\u2060]+|[\s\u200B\u2060]+$/gu, "");
  return length <= most || length === Array.from(trimmed).length;
}

function lists({ items = {}, minItems = 0, maxItems = 3 }: AnySchema): fc.Arbitrary<unknown> {
  const item = around(items);
  const right = nearby(items);
  return fc.oneof(
    fc.array(item, { minLength: Math.min(minItems, 3), maxLength: Math.min(maxItems, 4) }),
    fc.array(right, { minLength: Math.min(minItems, 3), maxLength: Math.min(maxItems, 4) }),
    // One too many items.
    right.map((one) => Array.from({ length: maxItems + 1 }, () => one)),
    right.map((one) => Array.from({ length: maxItems }, () => one)),
    fc.constant([]),
  );
}

function maps({ propertyNames = {}, additionalProperties }: AnySchema): fc.Arbitrary<unknown> {
  const value = typeof additionalProperties === "object" ? around(additionalProperties) : anyValue;
  const name = fc.oneof(nearby({ type: "string", ...propertyNames }), fc.constant("extra"));
  return fc.dictionary(
    name.map((given) => String(given)),
    value,
    { maxKeys: 3 },
  );
}

function objects({ properties = {} }: AnySchema): fc.Arbitrary<unknown> {
  const members = Object.entries(properties);
  const fitting: Readonly<Record<string, fc.Arbitrary<unknown>>> = Object.fromEntries(
    members.map(([name, member]) => [name, nearby(member)]),
  );
  const straying: Readonly<Record<string, fc.Arbitrary<unknown>>> = Object.fromEntries(
    members.map(([name, member]) => [name, around(member)]),
  );
  return fc.oneof(
    { arbitrary: fc.record(fitting), weight: 4 },
    { arbitrary: fc.record(fitting, { requiredKeys: [] }), weight: 3 },
    { arbitrary: fc.record(straying, { requiredKeys: [] }), weight: 2 },
    {
      arbitrary: fc
        .tuple(fc.record(fitting), fc.constantFrom("extra", "", "constructor"), anyValue)
        .map(([value, name, other]) => ({ ...value, [name]: other })),
      weight: 1,
    },
  );
}
