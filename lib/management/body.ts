import { andThen, type Eventual } from "../base/eventual.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { faultOfContentType, readLargeJson } from "../http/body.ts";
import type { ManagementEndpoint } from "./endpoint.ts";
import type { Exchange } from "./exchange.ts";

/** Reads a body whose kind was found right. */
export type ReadBody = () => Eventual<Result<unknown, Problem>>;

/** Judges by `Content-Type` whether the body can be taken, before any of it is read. */
export function readManagementBody(
  { request, stations }: Exchange,
  { body: schema, streams, maxBodyBytes }: ManagementEndpoint,
): Result<ReadBody, Problem> {
  const { headers } = request;
  if (streams !== undefined && streams.types.includes(essenceOf(headers))) return done(nothing);
  if (schema === undefined) return streams === undefined ? done(nothing) : refused(only(streams));
  const leftOut = isOptional(schema) && headers.get("content-type") === null;
  const fault = leftOut ? undefined : faultOfContentType(headers);
  if (fault !== undefined) return refused(streams === undefined ? fault : only(streams, "json"));
  return done(() =>
    andThen(stations.bodies.read(request, maxBodyBytes), (read) => {
      if (!read.ok) return read;
      if (!leftOut) return readLargeJson(read.value, schema);
      return read.value.length === 0 ? done({}) : refused(untyped);
    }),
  );
}

/** True when a body of that schema may be left out altogether. */
export function isOptional({
  json,
}: {
  readonly json: Readonly<Record<string, unknown>>;
}): boolean {
  const { required } = json;
  return Array.isArray(required) && required.length === 0;
}

const nothing: ReadBody = () => done(undefined);

function essenceOf(headers: Headers): string {
  const [essence = ""] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  return essence.trim();
}

const untyped: Problem = problem(
  "unsupported_media_type",
  "Send the body as application/json in UTF-8.",
);

function only({ types }: { readonly types: readonly string[] }, more?: "json"): Problem {
  const known = more === undefined ? types : [...types, "application/json"];
  return problem("unsupported_media_type", `Send the body as ${known.join(" or ")}.`);
}
