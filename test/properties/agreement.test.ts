import { MAX_PROFILE_TEXT } from "../../lib/catalogue/model-profile.ts";
import { describe, expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import * as fc from "fast-check";

import { publicSuffixes } from "../helpers/public-suffixes.ts";
import { DomainNameSchema } from "../../domains/view/bodies.ts";
import { parseHostname } from "../../domains/model/hostname.ts";
import { check } from "../../lib/base/check.ts";
import type { JsonSchema, Schema } from "../../lib/base/schema.ts";
import { endpoints } from "../../lib/endpoints.ts";
import { readParameters, type NamedParameter } from "../../lib/http/parameters.ts";
import { runSeed, torture } from "../helpers/chance.ts";
import { everyEndpoint } from "../helpers/every-endpoint.ts";
import { around, type AnySchema } from "./around.ts";

const runs = { seed: runSeed, numRuns: torture ? 20_000 : 200 };

/** Without the flag `u`, like Spectral and many others. */
const ajv = new Ajv2020({ strict: false, unicodeRegExp: false, validateFormats: true });
ajv.addFormat("int64", { type: "number", validate: Number.isSafeInteger });
// RFC 3339 §5.6: a date and a time are valid only if their day exists.
const dayExists = (day: string): boolean => new Date(day).toJSON()?.slice(0, 10) === day;
ajv.addFormat("date", (text) => /^\d{4}-\d\d-\d\d$/.test(text) && dayExists(text));
ajv.addFormat("date-time", (text) => {
  const day = /^(\d{4}-\d\d-\d\d)[Tt ]/.exec(text)?.[1];
  return day !== undefined && dayExists(day);
});
ajv.addFormat("password", true);

/** The union of both documents. */
const operations = [...endpoints, ...everyEndpoint];

/**
 * Returns whether a value has a text that JSON Schema cannot describe: the longest ones are limited in bytes, and it counts
 * characters; and where an instant or a date may stand, a pattern cannot tell which days exist.
 */
function isBeyondSchemas(value: unknown): boolean {
  if (typeof value === "string") {
    const day = /^\d{4}-\d\d-\d\d/.exec(value)?.[0];
    const isMissing = day !== undefined && !Number.isNaN(Date.parse(day)) && !dayExists(day);
    return isMissing || Buffer.byteLength(value) > MAX_PROFILE_TEXT;
  }
  return typeof value === "object" && value !== null && Object.values(value).some(isBeyondSchemas);
}

function agree(name: string, json: JsonSchema, accepts: (value: unknown) => boolean): void {
  const documented = ajv.compile(json);
  fc.assert(
    fc.property(around(json as AnySchema), (value) => {
      fc.pre(!isBeyondSchemas(value));
      const [said, done] = [documented(value), accepts(value)];
      if (said !== done) {
        const fault = said
          ? "documented and refused"
          : `accepted, but ${ajv.errorsText(documented.errors)}`;
        throw new Error(`${name}: ${fault}: ${JSON.stringify(value)}`);
      }
    }),
    runs,
  );
}

describe("a body is accepted exactly if its schema accepts it:", () => {
  const bodies = new Map<string, Schema<unknown>>();
  for (const { body } of operations) if (body !== undefined) bodies.set(body.name, body);
  for (const [name, schema] of bodies) {
    test(name, () => {
      agree(name, schema.json, (value) => check(schema, value).ok);
    });
  }
});

/** Parses a parameter's text by its schema's type; undefined if it does not match. */
function deserialized({ type, items }: AnySchema, text: string): unknown {
  if (type === "integer") return /^-?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : text;
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (type === "array") return text.split(",").map((one) => deserialized(items ?? {}, one));
  return text;
}

describe("a parameter is accepted exactly if its schema accepts it:", () => {
  const parameters = new Map<string, NamedParameter>();
  for (const { operationId, parameters: own } of operations) {
    for (const one of own) parameters.set(`${one.name} of ${operationId}`, one);
  }
  for (const [name, parameter] of parameters) {
    test(name, () => {
      const documented = ajv.compile(parameter.json);
      const shape = parameter.json as AnySchema;
      const texts = fc.oneof(around(shape), around({ type: "string" })).map((value) => {
        const text = Array.isArray(value) ? value.join(",") : String(value);
        return text.toWellFormed();
      });
      fc.assert(
        fc.property(texts, (text) => {
          const said = documented(deserialized(shape, text));
          const query = `${parameter.name}=${encodeURIComponent(text)}`;
          const read = readParameters(query, [parameter]);
          if (said !== read.ok) {
            const fault = said ? "documented and refused" : "accepted, but not documented";
            throw new Error(`${name}: ${fault}: ${JSON.stringify(text)}`);
          }
          // Only lists are given twice, under their own names, and hold the values of both.
          const twice =
            parameter.list === true && documented(deserialized(shape, `${text},${text}`));
          expect(readParameters(`${query}&${query}`, [parameter]).ok).toBe(twice);
          expect(readParameters(`${query}&x${query}`, [parameter]).ok).toBe(false);
        }),
        { ...runs, numRuns: Math.ceil(runs.numRuns / 3) },
      );
    });
  }
});

describe("a domain that can be added matches its schema:", () => {
  const rules = { suffixes: publicSuffixes, ownDomains: [], allowPrivate: true };
  const documented = ajv.compile(DomainNameSchema.json);
  test.each([
    ["pets.shelter.org", true],
    [`${"a".repeat(63)}.org`, true],
    [`${"a".repeat(64)}.org`, false],
    [`pets.${"x-1".repeat(22)}.org.`, false],
    // 63 characters in A-labels, and 64 code points that IDNA composes to 32.
    [`${"ä".repeat(50)}.org`, true],
    [`${"ä".repeat(32)}.org`, true],
    [" Pets.Shelter.org. ", true],
    ["pets。shelter。org", true],
  ])("%s: %p", (domain, accepted) => {
    const body = { domain };
    expect(documented(body)).toBe(accepted);
    expect(check(DomainNameSchema, body).ok).toBe(accepted);
    expect(parseHostname(domain, rules).ok).toBe(accepted);
  });
});
