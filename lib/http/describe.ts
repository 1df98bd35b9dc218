import { isoTime } from "../base/clock.ts";
import { problems, publicProblems, type ProblemCode } from "../base/problem.ts";
import type { JsonSchema } from "../base/schema.ts";
import type { Named, Shape } from "../base/shape.ts";
import {
  ifMatch,
  ifNoneMatch,
  codesByStatus,
  describedErrors,
  headerDescriptions,
  headersOf,
  ref,
  shareNamed,
} from "./describe-parts.ts";
import { templateOf } from "./endpoint.ts";
import type { PublicEndpoint } from "./public-endpoint.ts";

/** Base addresses of both environments, `/v1` included: absolute, or relative to the document. */
export interface Servers {
  readonly production: string;
  readonly staging: string;
}

/** Returns the document's list of servers. Omits environments without an address. */
export function serverList({ production, staging }: Partial<Servers>): readonly JsonSchema[] {
  return [
    ...(production === undefined ? [] : [{ url: production, description: "Production" }]),
    ...(staging === undefined ? [] : [{ url: staging, description: "Staging" }]),
  ];
}

/** Refusals that all operations share. */
const common: readonly ProblemCode[] = [
  "missing_api_key",
  "invalid_api_key",
  "expired_api_key",
  "revoked_api_key",
  "wrong_environment",
  "account_suspended",
  "address_not_allowed",
  "https_required",
  "insufficient_scope",
  "method_not_allowed",
  "not_acceptable",
  "uri_too_long",
  "rate_limited",
  "quota_exceeded",
  "key_banned",
  "internal_error",
  "unavailable",
];

const withBody: readonly ProblemCode[] = [
  "invalid_json",
  "invalid_body",
  "missing_field",
  "invalid_value",
  "unknown_field",
  "request_timeout",
  "payload_too_large",
  "unsupported_media_type",
];

const withKey: readonly ProblemCode[] = ["invalid_parameter", "idempotency_in_progress"];

const DEPRECATION = ["Deprecation", "Sunset", "Link"] as const;

/** Returns the refusals, with the headers that some of a status have. */
const errorsOf = (): DescribedErrors => (described ??= describedErrors(publicProblems, headers));

/** Made for the first document. */
let described: DescribedErrors | undefined;
type DescribedErrors = ReturnType<typeof describedErrors>;

const headers = {
  400: ["Idempotent-Replayed"],
  401: ["WWW-Authenticate"],
  403: ["Idempotent-Replayed", "WWW-Authenticate"],
  404: ["Idempotent-Replayed"],
  405: ["Allow"],
  409: ["Idempotent-Replayed", "Retry-After"],
  // Only a deprecated operation is ever removed.
  410: DEPRECATION,
  412: ["Idempotent-Replayed"],
  429: ["Retry-After"],
  503: ["Retry-After"],
} as const;

/**
 * Returns the OpenAPI 3.1 document of the public API, made from the table that routes and validates. Each of `shared`
 * is described once, and the schemas that contain it refer to it.
 */
export function describe(
  endpoints: readonly PublicEndpoint[],
  shared: readonly Named<Shape<unknown>>[],
  servers: Partial<Servers>,
): JsonSchema {
  const schemas: Record<string, JsonSchema> = { Error: errorsOf().schema };
  for (const { name, json } of shared) schemas[name] = json;
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const endpoint of endpoints) {
    const { body, success, path } = endpoint;
    if (body !== undefined) schemas[body.name] = body.json;
    if (success.schema !== undefined) schemas[success.schema.name] = success.schema.json;
    const operations = (paths[templateOf(path)] ??= {});
    operations[endpoint.method.toLowerCase()] = operation(endpoint);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Petstore",
      version: "1.0.0",
      summary: "Animals that are available for adoption.",
      description:
        "List, add and read animals. Every operation needs an API key as a bearer token. Every response reports the rate limits in its headers. Every error has the same body: `code`, `message`, `status`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: serverList(servers),
    security: [{ apiKey: [] }],
    tags: [
      { name: "animals", description: "Animals that are available for adoption." },
      { name: "Store", description: "Reserved group." },
      { name: "Pets", description: "Reserved group." },
    ],
    "x-tagGroups": [
      { name: "Store", tags: [] },
      { name: "Pets", tags: [] },
      { name: "API", tags: ["animals"] },
    ],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "pet_live_… or pet_test_…",
          description: "An API key of the environment.",
        },
      },
      schemas: shareNamed(schemas),
      headers: headerDescriptions,
      responses: errorsOf().responses,
    },
  };
}

function operation(endpoint: PublicEndpoint): JsonSchema {
  const { path, access, body, success, stability, deprecation } = endpoint;
  const { scope } = access;
  const codes = [
    ...new Set([
      ...endpoint.refusals,
      ...(endpoint.parameters.length > 0 || endpoint.conditional === true
        ? (["invalid_parameter", "unknown_parameter"] as const)
        : (["unknown_parameter"] as const)),
      ...(body === undefined ? [] : withBody),
      ...(endpoint.retryable ? withKey : []),
      ...(endpoint.retryable && body !== undefined ? (["idempotency_key_reused"] as const) : []),
      ...common,
    ]),
  ].filter((code) => scope !== undefined || code !== "insufficient_scope");
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description:
      scope === undefined
        ? endpoint.description
        : `${endpoint.description}\n\nThe key needs the scope \`${scope}\`.`,
    tags: ["animals"],
    ...(deprecation === undefined
      ? {}
      : { deprecated: true, "x-deprecated-sunset": isoDay(deprecation.sunsetAt) }),
    ...(stability === undefined ? {} : { "x-stability": stability }),
    ...(endpoint.hideTryItPanel ? { "x-hideTryItPanel": true } : {}),
    parameters: [
      ...Array.from(path.matchAll(/:(\w+)/g), ([, name = ""]) => idParameter(name)),
      ...endpoint.parameters.map(({ name, description, json }) => ({
        name,
        in: "query",
        description,
        required: false,
        schema: json,
        ...(json["type"] === "array" ? { style: "form", explode: false } : {}),
      })),
      ...(endpoint.method === "GET" ? [ifNoneMatch] : []),
      ...(endpoint.conditional ? [ifMatch] : []),
      ...(endpoint.retryable ? [idempotencyKey] : []),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: ref(body.name) } },
          },
        }),
    responses: {
      [success.status]: {
        description: success.description,
        headers: headersOf(success.headers ?? []),
        ...(success.schema === undefined
          ? {}
          : {
              content: {
                "application/json": {
                  schema: ref(success.schema.name),
                  ...(success.example === undefined ? {} : { example: success.example }),
                },
              },
            }),
      },
      ...(endpoint.method === "GET"
        ? {
            304: {
              description: "The copy that `If-None-Match` names is still current.",
              headers: headersOf(success.headers ?? ["ETag"]),
            },
          }
        : {}),
      ...Object.fromEntries(
        codesByStatus(codes).map(([status, description]) => [
          status,
          {
            // A reference cannot add headers; these statuses have the same headers everywhere.
            ...(deprecation === undefined || alike.has(status)
              ? { $ref: `#/components/responses/Error${status}` }
              : errorsOf().response(status, DEPRECATION)),
            description,
          },
        ]),
      ),
    },
  };
}

/** Sent before the operation is known, so without its deprecation headers. */
const alike: ReadonlySet<number> = new Set([
  problems.uri_too_long.status,
  problems.method_not_allowed.status,
  problems.operation_removed.status,
]);

const idParameter = (name: string): JsonSchema => ({
  name,
  in: "path",
  required: true,
  description: "Identifier assigned on creation.",
  schema: { type: "integer", format: "int64", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
});

const idempotencyKey: JsonSchema = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Chosen by the client. For 24 hours, a retry with the same key and body gets the first response.",
  // Bare or in quotes, which are not part of the key.
  schema: {
    type: "string",
    pattern: '^(?:"[!-~]{1,255}"|[!#-~][!-~]{0,254}|"(?:[!-~]{0,253}[!#-~])?)$',
  },
};

function isoDay(at: number): string {
  return isoTime(at).slice(0, 10);
}
