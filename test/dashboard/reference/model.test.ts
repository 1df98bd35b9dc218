import { expect, test } from "bun:test";

import {
  constraintWords,
  typeWords,
  dayWords,
  exampleOf,
} from "../../../dashboard/reference/model/words.ts";
import { referenceOf } from "../../../dashboard/reference/model/reference.ts";
import { tokensOf } from "../../../dashboard/reference/model/tokens.ts";
import { ourDescription } from "../../../dashboard/guides/serve.ts";
import { torture } from "../../helpers/chance.ts";
import { describing, type Document } from "../../helpers/description.ts";
import { management, managementDescription, reference } from "../../helpers/reference.ts";

const { schemas, operations } = reference;

test.each(Object.keys(schemas))("a generated example of %s is valid", (name) => {
  const { faultOf } = describing(ourDescription() as unknown as Document);
  const $ref = `#/components/schemas/${name}`;
  expect(faultOf({ $ref }, exampleOf({ $ref }, schemas))).toBeUndefined();
});

test("the bodies in the samples of the management API are valid", () => {
  const { faultOf } = describing(managementDescription as Document);
  const bodies = management.operations.filter(({ body }) => body !== undefined);
  // A schema takes a tenth of a second to compile.
  for (const { id, body } of bodies.filter((_, index) => torture || index % 8 === 0)) {
    if (body === undefined) continue;
    expect([id, faultOf(body.schema, body.example)]).toEqual([id, undefined]);
  }
});

test("an example of a change changes something", () => {
  expect(exampleOf({ $ref: "#/components/schemas/PetPatch" }, schemas)).toEqual({ name: "Rex" });
});

test("a response's example is possible for the operation", () => {
  const refused = operations.find(({ id }) => id === "deletePet")?.answers;
  expect(refused?.find(({ status }) => status === 412)?.example).toEqual({
    code: "precondition_failed",
    message: "The resource has changed.",
    status: 412,
  });
  const list = operations.find(({ id }) => id === "listPets")?.answers;
  // The document's example for 400 is about a body, which a GET does not have.
  expect(list?.find(({ status }) => status === 400)?.example).toMatchObject({
    code: "invalid_parameter",
  });
});

test("referenced headers are resolved with their descriptions", () => {
  const [answer] = operations[0]?.answers ?? [];
  const link = answer?.headers.find(([name]) => name === "Link");
  expect(link?.[1].description).toBe("Addresses of related pages (RFC 8288).");
});

test("a group shows only its own tags", () => {
  const description = ourDescription();
  const { groups } = referenceOf({ ...description, "x-tagGroups": [{ name: "Store", tags: [] }] });
  expect(groups).toEqual([
    {
      name: "Store",
      sections: [
        {
          name: "Store",
          description: "Reserved group.",
          operations: [],
        },
      ],
    },
  ]);
});

test.each([
  [{ type: "integer", format: "int64" }, "integer (int64)"],
  [{ type: ["integer", "null"] }, "integer or null"],
  [{ type: "array", items: { $ref: "#/components/schemas/Pet" } }, "array of Pet"],
  [{ $ref: "#/components/schemas/Pet" }, "Pet"],
  [{}, "any value"],
] as const)("%j is called %s", (schema, words) => {
  expect(typeWords(schema)).toBe(words);
});

test.each([
  [{ type: "integer", minimum: 1, maximum: 100, default: 20 }, ["1 to 100", "default `20`"]],
  [{ type: "integer", minimum: 0 }, ["at least 0"]],
  [{ type: "string", maxLength: 128 }, ["at most 128 characters"]],
  [{ type: "string", minLength: 1, maxLength: 80 }, ["1 to 80 characters"]],
  [{ type: "string", enum: ["a", "b"] }, ["one of `a`, `b`"]],
  [{ type: "string", pattern: "^x$" }, ["matches `^x$`"]],
  [{ type: "boolean", default: false }, ["default `false`"]],
  [{ type: "object", additionalProperties: false }, ["no other members"]],
  [
    { type: "array", maxItems: 100, items: { type: "integer", minimum: 1 } },
    ["at most 100 items", "each at least 1"],
  ],
] as const)("%j asks for %j", (schema, words) => {
  expect(constraintWords(schema)).toEqual(words);
});

test.each([
  ["2030-12-05", "5 December 2030"],
  ["2031-01-31", "31 January 2031"],
  ["soon", "soon"],
  ["2030-13-05", "2030-13-05"],
])("the day %s is %s", (day, words) => {
  expect(dayWords(day)).toBe(words);
});

test.each([
  ['{ "a": "b", "c": [1, -2.5, true, null] }', 'k"a" s"b" k"c" n1 n-2.5 ntrue nnull'],
  ['curl http://127.0.0.1:8080/v1/pets -H "X: $A"', 's"X: $A"'],
  ["f(x1, 'y') # why", "s'y' c# why"],
  ['"never closed', ""],
])("the tokens of %s are %s, and nothing is lost", (source, words) => {
  const tokens = tokensOf(source);
  const marked = tokens.filter(({ kind }) => kind !== undefined);
  expect(marked.map(({ kind, text }) => `${kind}${text}`).join(" ")).toBe(words);
  expect(tokens.map(({ text }) => text).join("")).toBe(source);
});
