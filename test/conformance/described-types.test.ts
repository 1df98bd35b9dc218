import { expect, test } from "bun:test";

import { openOffice } from "../helpers/management.ts";

const office = await openOffice();
const documents = {
  "/v1": office.petstore.fetch(new Request("http://pets.test/v1/openapi.json")),
  "/manage/v1": office.ask(new Request("http://pets.test/manage/v1/openapi.json")),
};

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

/** What says of which type a value is, or that the part says nothing about its type on purpose. */
const TYPES = ["type", "$ref", "anyOf", "enum", "const", "properties", "required", "description"];

/** Returns the parts of a schema of which a generator of clients cannot tell the type, and the unions in headers. */
function untyped(node: unknown, path: string): readonly string[] {
  if (!isNode(node)) return [];
  const faults: string[] = [];
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const parts: unknown = node[key];
    if (!Array.isArray(parts) || path.endsWith("/not")) continue;
    for (const [index, part] of parts.entries()) {
      if (isNode(part) && !TYPES.some((one) => one in part)) faults.push(`${path}/${key}/${index}`);
    }
  }
  const { type } = node;
  if (Array.isArray(type) && type.filter((one) => one !== "null").length > 1) {
    faults.push(`${path}/type`);
  }
  if (node["in"] === "header" && isNode(node["schema"]) && !("pattern" in node["schema"])) {
    if (Object.keys(node["schema"]).join() !== "type") faults.push(`${path}/schema`);
  }
  return faults.concat(
    ...Object.entries(node).map(([key, inner]) => untyped(inner, `${path}/${key}`)),
  );
}

test.each(Object.entries(documents))(
  "generators of clients know the type of every value in the document of %s",
  async (_api, answer) => {
    const response = await answer;
    expect(response.status).toBe(200);
    expect(untyped(await response.json(), "")).toEqual([]);
  },
);

test("a part without a type, a list of types and a union in a header are found", () => {
  const document = {
    a: { type: "string", allOf: [{ pattern: "x" }] },
    b: { type: ["string", "integer"] },
    c: { type: ["string", "null"], anyOf: [{ type: "null" }] },
    d: { in: "header", schema: { type: "string", anyOf: [{ pattern: "x" }] } },
  };
  expect(untyped(document, "")).toEqual([
    "/a/allOf/0",
    "/b/type",
    "/d/schema",
    "/d/schema/anyOf/0",
  ]);
});
