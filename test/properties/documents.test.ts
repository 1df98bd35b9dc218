import { describe, expect, test } from "bun:test";

import { endpoints } from "../../lib/endpoints.ts";
import type { Declared } from "../../lib/http/endpoint.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { inProcess } from "../conformance/in-process.ts";
import { describing, type Description, type Document } from "../helpers/description.ts";
import { everyEndpoint } from "../helpers/every-endpoint.ts";
import { openOffice } from "../helpers/management.ts";

/** The OpenAPI documents of both APIs, and the operations that they must describe. */
const documents: readonly (readonly [api: string, Description, readonly Declared[]])[] = [
  ["public", await published(), endpoints],
  ["management", await managed(), everyEndpoint],
];

async function published(): Promise<Description> {
  const { env, close } = inProcess(memoryStore());
  const { body } = await env.anyone.get<Document>("/v1/openapi.json");
  await close();
  return describing(body);
}

async function managed(): Promise<Description> {
  const office = await openOffice();
  const url = "http://petstore.test/manage/v1/openapi.json";
  // It needs no token.
  const response = await office.management.fetch(new Request(url));
  return describing((await response.json()) as Document);
}

describe.each(documents)("the OpenAPI document of the %s API", (_api, description, declared) => {
  const { document, operations } = description;

  test("is OpenAPI 3.1 and describes exactly the declared operations", () => {
    expect(document.openapi).toStartWith("3.1.");
    const described = operations.map((one) => `${one.operationId} ${one.method} ${one.path}`);
    const known = declared.map(
      (one) => `${one.operationId} ${one.method} ${one.path.replaceAll(/:(\w+)/g, "{$1}")}`,
    );
    expect(described.toSorted()).toEqual(known.toSorted());
  });

  test("has no broken references and no unused parts", () => {
    const text = JSON.stringify(document);
    const targets = new Set(Array.from(text.matchAll(/"\$ref":"#\/([^"]+)"/g), ([, to]) => to));
    const parts = Object.entries(document.components)
      .filter(([kind]) => kind !== "securitySchemes")
      .flatMap(([kind, named]) => Object.keys(named).map((name) => `components/${kind}/${name}`));
    expect([...targets].filter((target) => !parts.includes(target ?? ""))).toEqual([]);
    expect(parts.filter((part) => !targets.has(part))).toEqual([]);
  });

  test("lists exactly the path parameters as required", () => {
    for (const { path, parameters } of operations) {
      const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
      const required = parameters.filter((one) => one.required).map(({ name }) => name);
      expect(required).toEqual(inPath as string[]);
      for (const one of parameters) expect(one.required ?? false).toBe(one.in === "path");
    }
  });

  test("documents a failed precondition wherever If-Match is accepted", () => {
    const conditional = operations.filter(({ parameters }) =>
      parameters.some(({ name }) => name === "If-Match"),
    );
    expect(conditional.length).toBeGreaterThan(0);
    const silent = conditional.filter(({ responses }) => !("412" in responses));
    expect(silent.map((one) => one.operationId)).toEqual([]);
  });

  test("contains valid JSON Schema, and a matching example for every response", () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const examples = (schema as { readonly examples?: readonly unknown[] }).examples ?? [];
      for (const example of examples) expect(description.faultOf(schema, example)).toBeUndefined();
      expect(description.faultOf({ $ref: `#/components/schemas/${name}` }, Symbol())).toBeString();
    }
    for (const operation of operations) {
      for (const status of Object.keys(operation.responses)) {
        const { content } = description.responseOf(operation, Number(status)) ?? {};
        const json = content?.["application/json"];
        if (json === undefined) continue;
        const { operationId } = operation;
        expect([operationId, status, json.example]).not.toContain(undefined);
        const fault = description.faultOf(json.schema, json.example);
        expect([operationId, status, fault]).toEqual([operationId, status, undefined]);
      }
    }
  });

  test("has no two different schemas with one name", () => {
    const seen = new Map<string, unknown>();
    for (const { body, success } of declared) {
      for (const one of [body, success.schema]) {
        if (one === undefined) continue;
        expect(seen.get(one.name) ?? one.json).toEqual(one.json);
        seen.set(one.name, one.json);
      }
    }
  });
});
