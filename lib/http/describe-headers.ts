import type { JsonSchema } from "../base/schema.ts";
import type { HeaderName } from "./endpoint.ts";

const integerHeader = (description: string): JsonSchema => ({
  description,
  schema: { type: "integer" },
});
const stringHeader = (description: string): JsonSchema => ({
  description,
  schema: { type: "string" },
});

const limitHeaderNames = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
  "X-Request-Id",
] as const;

/** Every header that an answer may carry, as the document explains it. */
export const headerDescriptions: Readonly<
  Record<
    | (typeof limitHeaderNames)[number]
    | Exclude<HeaderName, "Set-Cookie">
    | "Allow"
    | "Retry-After"
    | "WWW-Authenticate",
    JsonSchema
  >
> = {
  "X-RateLimit-Limit": integerHeader("The limit applying to the caller."),
  "X-RateLimit-Remaining": integerHeader("Requests remaining."),
  "X-RateLimit-Reset": integerHeader("Unix timestamp, in seconds, at which the limit resets."),
  RateLimit: stringHeader("Both windows: requests remaining and seconds until they reset."),
  "RateLimit-Policy": stringHeader("Both windows: their limits and lengths in seconds."),
  "X-Request-Id": stringHeader("Names this request in our logs."),
  "Retry-After": integerHeader("Seconds after which a request is worth sending."),
  "WWW-Authenticate": stringHeader("What is wrong with the credential (RFC 6750)."),
  Allow: stringHeader("The methods of this path (RFC 9110 §10.2.1)."),
  ETag: stringHeader("Version of what is answered."),
  Link: stringHeader("Addresses of related pages (RFC 8288)."),
  Location: stringHeader("Address of what was created."),
  "X-Total-Count": integerHeader("Number of all matching items; with `count=true` only."),
  Deprecation: stringHeader("Since when the operation is deprecated (RFC 9745)."),
  Sunset: stringHeader("When the operation will be removed (RFC 8594)."),
  "Idempotent-Replayed": stringHeader("`true` when this is the answer to an earlier request."),
};

/** References to the headers of every answer, and to those named. */
export function headersOf(names: readonly string[]): JsonSchema {
  return Object.fromEntries(
    [...limitHeaderNames, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
