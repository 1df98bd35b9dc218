import { expect, test } from "bun:test";

import { wantsEvents } from "../../../lib/management/sse.ts";
import { fromWire, toWire } from "../../../lib/management/wire.ts";
import { everyEndpoint } from "../../helpers/every-endpoint.ts";

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

/** Returns the members of all objects in a schema, by name. */
function membersIn(schema: unknown): readonly (readonly [name: string, schema: unknown])[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: object };
  return [...Object.entries(properties), ...Object.values(schema).flatMap(membersIn)];
}

function isInstant(schema: unknown): boolean {
  const { format, anyOf = [] } = schema as {
    readonly format?: string;
    readonly anyOf?: readonly unknown[];
  };
  return format === "date-time" || anyOf.some(isInstant);
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
