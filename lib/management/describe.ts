import { problems, type ProblemCode } from "../base/problem.ts";
import type { JsonSchema } from "../base/schema.ts";
import {
  describedErrors,
  headerDescriptions,
  shareNamed,
  ifMatch,
  ifNoneMatch,
  codesByStatus,
  headersOf,
  ref,
} from "../http/describe-parts.ts";
import { templateOf } from "../http/endpoint.ts";
import { describedWebhooks, messageSchemas } from "./describe-events.ts";
import type { ManagementEndpoint, ManagementTag, PrincipalAccess } from "./endpoint.ts";
import { ROOT } from "./exchange.ts";
import { environments } from "../model/account.ts";
import { isOptional } from "./perform.ts";

const tags: Readonly<Record<ManagementTag, string>> = {
  setup: "The caller, the plans, and the first token.",
  sessions: "Signing in with a browser, and your own sessions, password and passkeys.",
  members: "The people who can sign in.",
  accounts: "Accounts, their plans and limits.",
  tokens: "Bearer tokens of this API.",
  keys: "API keys of the public API.",
  imports: "Files of animals that are read, mapped and imported.",
  animals: "Animals, categories and orders of a catalogue.",
  projects: "Sites that show an account's animals.",
  deploys: "Versions of a site.",
  domains: "Custom domains of sites, and the remaining steps to set them up.",
  certificates: "Certificates of custom domains and of the service's own hosts.",
  usage: "Requests by API key, and limits.",
  events: "Events of accounts and catalogues.",
  webhooks: "Addresses to which events are sent, and the deliveries to them.",
  audit: "Who did what, from where and when.",
  system: "The program itself, for operators.",
};

/** The header that only the management API sends. */
const setCookie = {
  "Set-Cookie": {
    description: "The session of a signed-in browser; empty after signing out.",
    schema: { type: "string" },
  },
};

/** Headers that only the public API sends. */
const foreign = ["X-Total-Count", "Deprecation", "Sunset", "Idempotent-Replayed"];

/** Returns the OpenAPI 3.1 document of the management API, made from the table that routes and validates. */
export function describeManagement(
  endpoints: readonly ManagementEndpoint[],
  root: string = ROOT,
): JsonSchema {
  const readable = new Set(
    endpoints.flatMap(({ method, path }) => (method === "GET" ? [path] : [])),
  );
  const known = new Set<string>(endpoints.flatMap((one) => codesOf(one, readable)));
  const signsIn = endpoints.some(({ success }) => success.headers?.includes("Set-Cookie"));
  const used = new Set<string>(endpoints.map(({ tag }) => tag));
  const registry = Object.entries(problems).filter(([code]) => known.has(code));
  const errors = describedErrors(Object.fromEntries(registry), {
    401: ["WWW-Authenticate"],
    405: ["Allow"],
    429: ["Retry-After"],
    503: ["Retry-After"],
  });
  const sends = used.has("webhooks");
  const schemas: Record<string, JsonSchema> = {
    Error: errors.schema,
    ...(sends ? messageSchemas : {}),
  };
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const endpoint of endpoints) {
    const { body, success, path, method } = endpoint;
    if (body !== undefined) schemas[body.name] = body.json;
    if (success.schema !== undefined) schemas[success.schema.name] = success.schema.json;
    const operations = (paths[templateOf(path)] ??= {});
    operations[method.toLowerCase()] = describeOperation(endpoint, readable);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Petstore management",
      version: "1.0.0",
      summary: "Accounts, keys, sites and events.",
      description:
        "For operators and for the members of an account. Every operation needs a management token (as a bearer token) or the cookie of a session, except the operations that issue them. With a cookie, changes are accepted only from pages of the same origin. Resources of other accounts are 404. Every response reports the rate limit in its headers. Every error has the same body: `code`, `message`, `status`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: root, description: "This installation" }],
    security: [{ managementToken: [] }, { session: [] }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    ...(sends ? { webhooks: describedWebhooks } : {}),
    components: {
      securitySchemes: {
        managementToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "pet_manage_…",
          description: "A management token, of an operator or of an account.",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-petstore",
          description:
            "The session of a signed-in browser; accepted over HTTPS and on loopback addresses.",
        },
      },
      schemas: shareNamed(schemas),
      headers: {
        ...Object.fromEntries(
          Object.entries(headerDescriptions).filter(([name]) => !foreign.includes(name)),
        ),
        ...(signsIn ? setCookie : {}),
      },
      responses: errors.responses,
    },
  };
}

const everywhere: readonly ProblemCode[] = [
  "invalid_parameter",
  "unknown_parameter",
  "method_not_allowed",
  "not_acceptable",
  "uri_too_long",
  "rate_limited",
  "internal_error",
  "unavailable",
];

const guarded: readonly ProblemCode[] = [
  "missing_token",
  "invalid_token",
  "expired_token",
  "revoked_token",
  "invalid_session",
  "insufficient_role",
  "cross_site_request",
];

const signingIn: readonly ProblemCode[] = ["https_required", "cross_site_request"];

const withJson: readonly ProblemCode[] = [
  "invalid_json",
  "invalid_body",
  "missing_field",
  "invalid_value",
  "unknown_field",
];

const withAnyBody: readonly ProblemCode[] = [
  "request_timeout",
  "payload_too_large",
  "unsupported_media_type",
];

/** Returns the codes of all refusals of an operation. `readable` are the paths of all reads: writes to them can be conditional. */
export function codesOf(
  endpoint: ManagementEndpoint,
  readable: ReadonlySet<string>,
): readonly ProblemCode[] {
  const { access, method, body, streams, path, refusals } = endpoint;
  return [
    ...new Set([
      ...refusals,
      ...(access.kind === "anyone" ? [] : guarded),
      ...(access.kind !== "anyone" && access.sensitive === true
        ? (["proof_required"] as const)
        : []),
      ...(endpoint.conditional === true || (method !== "GET" && readable.has(path))
        ? (["precondition_failed"] as const)
        : []),
      ...(access.kind === "anyone" && access.signsIn === true ? signingIn : []),
      // An operator has no account that could be deleted or suspended.
      ...(access.kind !== "anyone" && (access.kind !== "platform" || access.role !== "operator")
        ? (["not_found"] as const)
        : []),
      ...(path.includes(":") ? (["route_not_found"] as const) : []),
      ...(access.kind === "anyone" ||
      access.role === "operator" ||
      method === "GET" ||
      access.evenSuspended === true
        ? []
        : (["account_suspended"] as const)),
      ...(body === undefined ? [] : withJson),
      ...(body === undefined && streams === undefined ? [] : withAnyBody),
      ...everywhere,
    ]),
  ];
}

/** Returns the OpenAPI 3.1 description of an operation. */
function describeOperation(
  endpoint: ManagementEndpoint,
  readable: ReadonlySet<string>,
): JsonSchema {
  const { operationId, summary, description, tag, access, path, method, parameters } = endpoint;
  const body = requestBody(endpoint);
  return {
    operationId,
    summary,
    description: description + (access.kind === "anyone" ? "" : needed(access)),
    tags: [tag],
    ...(access.kind === "anyone" ? { security: [] } : {}),
    parameters: [
      ...Array.from(path.matchAll(/:(\w+)/g), ([, name = ""]) => pathParameter(name)),
      ...parameters.map(({ name, description: text, json }) => ({
        name,
        in: "query",
        description: text,
        required: false,
        schema: json,
        ...(json["type"] === "array" ? { style: "form", explode: false } : {}),
      })),
      ...(method === "GET" && endpoint.success.schema !== undefined ? [ifNoneMatch] : []),
      ...(endpoint.conditional ? [ifMatch] : []),
    ],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...successes(endpoint), ...refusalsOf(endpoint, readable) },
  };
}

/** The requirements of an operation, as its description ends. */
function needed({ role, sensitive }: PrincipalAccess): string {
  const above = role === "operator" ? "" : " or above";
  return `\n\nNeeds the role \`${role}\`${above}.${sensitive === true ? recently : ""}`;
}

const recently =
  "\n\nSigned-in members must have signed in, or confirmed their identity, in the last 15 minutes.";

function requestBody({ body, streams }: ManagementEndpoint): JsonSchema | undefined {
  if (body === undefined && streams === undefined) return undefined;
  const streamed = (streams?.types ?? []).map((type) => [
    type,
    { schema: { type: "string", contentMediaType: type, description: streams?.description } },
  ]);
  return {
    required: streams !== undefined || (body !== undefined && !isOptional(body)),
    content: {
      ...(body === undefined ? {} : { "application/json": { schema: ref(body.name) } }),
      ...Object.fromEntries(streamed),
    },
  };
}

function successes({ method, success }: ManagementEndpoint): Readonly<Record<number, JsonSchema>> {
  const { status, description, schema, example, events, files = [], headers = [] } = success;
  const reads = method === "GET" && schema !== undefined;
  const content = {
    ...(schema === undefined
      ? {}
      : {
          "application/json": {
            schema: ref(schema.name),
            ...(example === undefined ? {} : { example }),
          },
        }),
    ...(events === undefined
      ? {}
      : { "text/event-stream": { schema: { type: "string", description: events } } }),
    ...Object.fromEntries(
      files.map((type) => [type, { schema: { type: "string", contentMediaType: type } }]),
    ),
  };
  return {
    [status]: {
      description,
      headers: headersOf([...(reads ? ["ETag"] : []), ...headers]),
      ...(Object.keys(content).length === 0 ? {} : { content }),
    },
    ...(reads
      ? {
          304: {
            description: "The copy that `If-None-Match` names is still current.",
            headers: headersOf(["ETag", ...headers]),
          },
        }
      : {}),
  };
}

function refusalsOf(
  endpoint: ManagementEndpoint,
  readable: ReadonlySet<string>,
): Readonly<Record<number, JsonSchema>> {
  return Object.fromEntries(
    codesByStatus(codesOf(endpoint, readable)).map(([status, description]) => [
      status,
      { $ref: `#/components/responses/Error${status}`, description },
    ]),
  );
}

/** The parameters of paths that are not simply the ID of what they are named after. */
const pathParameters: Readonly<Record<string, { readonly description: string } & JsonSchema>> = {
  account: { description: "ID of the account: `acc_…`." },
  project: { description: "Slug or id of the project." },
  domain: { description: "The domain, in Unicode or in A-labels." },
  key: { description: "ID of the API key." },
  pet: { description: "ID of the animal." },
  member: { description: "ID of the member: `mem_…`." },
  webhook: { description: "ID of the webhook: `wh_…`." },
  event: { description: "The `seq` of the event." },
  environment: { description: "One of the account's catalogues.", enum: environments },
};

function pathParameter(name: string): JsonSchema {
  const { description, ...more } = pathParameters[name] ?? { description: `ID of the ${name}.` };
  return { name, in: "path", required: true, description, schema: { type: "string", ...more } };
}
