import { expect, test } from "bun:test";

import { wantsEvents } from "../../../lib/management/sse.ts";
import { fromWire, toWire } from "../../../lib/base/wire.ts";
import { verify } from "../../../domains/model/verification.ts";
import { everyEndpoint } from "../../helpers/every-endpoint.ts";
import { situations } from "../../helpers/situations.ts";
import { factsOf, surveyOf } from "../../helpers/survey.ts";
import { openTenants } from "./tenants.ts";

const AT = 1_794_960_000_123;
const TEXT = "2026-11-18T00:00:00.123Z";

test("members that hold times are RFC 3339 on the wire at any depth, and other members stay unchanged", () => {
  const known = { at: AT, items: [{ createdAt: AT, bannedUntil: AT, size: AT }], format: "At" };
  const sent = {
    at: TEXT,
    items: [{ createdAt: TEXT, bannedUntil: TEXT, size: AT }],
    format: "At",
  };
  expect(toWire(known)).toEqual(sent);
  expect(fromWire(sent)).toEqual(known);
});

test("other values are sent unchanged, and absent members stay absent", () => {
  const unchanged = { createdAt: "yesterday", expiresAt: null, at: [AT] };
  expect(fromWire({ createdAt: "yesterday" })).toEqual({ createdAt: "yesterday" });
  expect(toWire(unchanged)).toEqual(unchanged);
  expect(JSON.stringify(toWire({ revokedAt: undefined }))).toBe("{}");
});

test("every body and answer converts the members that its schema declares as instants, and no others", () => {
  const astray = everyEndpoint.flatMap(({ operationId, body, success }) =>
    membersIn([body?.json, success.schema?.json])
      .filter(([name, schema]) => isInstant(schema) !== isConverted(name))
      .map(([name]) => `${operationId}: ${name}`),
  );
  expect(astray).toEqual([]);
});

test("the data of events, whose schema is open, has its instants under such names, and nothing else", async () => {
  const { office } = await openTenants();
  const events = await office.store.events.after(0, 1_000);
  expect(events.length).toBeGreaterThan(50);
  const astray = events.flatMap(({ type, data }) =>
    strayIn(data).map((name) => `${type}: ${name}`),
  );
  expect([...new Set(astray)]).toEqual([]);
});

test("so have the facts of findings", () => {
  const found = situations.flatMap(
    ({ name: _name, ...situation }) => verify(surveyOf(situation), factsOf(situation)).findings,
  );
  expect(valuesIn(found.map(({ facts }) => facts)).some(([, value]) => isTime(value))).toBe(true);
  const astray = found.flatMap(({ code, facts }) =>
    strayIn(facts).map((name) => `${code}: ${name}`),
  );
  expect([...new Set(astray)]).toEqual([]);
});

/** Returns the names of members with an instant that is not converted, or with another number that is. */
function strayIn(data: unknown): readonly string[] {
  return valuesIn(data)
    .filter(([name, value]) => isTime(value) !== (typeof value === "number" && isConverted(name)))
    .map(([name]) => name);
}

/** Returns the members of all objects in a value, by name. */
function valuesIn(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (typeof value !== "object" || value === null) return [];
  const members: readonly [string, unknown][] = Array.isArray(value) ? [] : Object.entries(value);
  return [...members, ...Object.values(value).flatMap(valuesIn)];
}

/** Returns true for milliseconds since the Unix epoch from 2001 on: no other number of these values is as large. */
function isTime(value: unknown): boolean {
  return typeof value === "number" && value > 1e12;
}

/** Returns the members of all objects in a schema, by name. */
function membersIn(schema: unknown): readonly (readonly [name: string, schema: unknown])[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: object };
  return [...Object.entries(properties), ...Object.values(schema).flatMap(membersIn)];
}

function isInstant(schema: unknown): boolean {
  const {
    format,
    pattern = "",
    anyOf = [],
  } = schema as {
    readonly format?: string;
    readonly pattern?: string;
    readonly anyOf?: readonly unknown[];
  };
  // A date may stand for an instant, so that no format fits.
  const form = new RegExp(pattern);
  const isDated = form.test("2026-11-20T09:30:00Z") && form.test("2026-11-20") && !form.test("Rex");
  return format === "date-time" || isDated || anyOf.some(isInstant);
}

function isConverted(name: string): boolean {
  const value = { [name]: AT };
  return toWire(value) !== value;
}

test("events are streamed only to clients that request their media type", () => {
  const wants = (accept: string | undefined): boolean =>
    wantsEvents(
      new Request("http://petstore.test/", accept === undefined ? {} : { headers: { accept } }),
    );
  const accepted = ["text/event-stream", "application/json;q=0.1, TEXT/Event-Stream ;q=0.5"];
  expect(accepted.map(wants)).toEqual([true, true]);
  const not = [undefined, "*/*", "text/*", "application/json", "text/event-stream;q=0"];
  expect(not.map(wants)).toEqual([false, false, false, false, false]);
});
