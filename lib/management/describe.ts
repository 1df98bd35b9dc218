import { problems } from "../base/problem.ts";
import type { JsonSchema } from "../base/schema.ts";
import { describedErrors, headerDescriptions, shareNamed } from "../http/describe-parts.ts";
import { codesOf, describeOperation } from "./describe-operation.ts";
import type { ManagementEndpoint, ManagementTag } from "./endpoint.ts";
import { ROOT } from "./exchange.ts";

const tags: Readonly<Record<ManagementTag, string>> = {
  setup: "Who calls, and how the first operator comes to a token.",
  sessions: "Signing in with a browser, and what one has there: sessions, a password, passkeys.",
  members: "The people who can sign in.",
  accounts: "Organisations, their plans and limits.",
  tokens: "Bearer tokens of this API.",
  keys: "API keys of the public API.",
  animals: "Animals, categories and orders of a catalogue.",
  projects: "Sites of an account over its animals.",
  deploys: "Versions of a site.",
  domains: "Host names of a site's own, and what is still to be done for them.",
  certificates: "What browsers are shown under custom domains.",
  usage: "What each API key asked for.",
  events: "What happened.",
  system: "The program itself, for operators.",
};

/** The header that only this API sends. */
const setCookie = {
  "Set-Cookie": {
    description: "The session of a browser that signed in; empty after signing out.",
    schema: { type: "string" },
  },
};

/** Headers that only the public API sends. */
const foreign = ["X-Total-Count", "Deprecation", "Sunset", "Idempotent-Replayed"];

/** The OpenAPI 3.1 document of the management API, made from the very table that routes and validates. */
export function describeManagement(endpoints: readonly ManagementEndpoint[]): JsonSchema {
  const known = new Set<string>(endpoints.flatMap(codesOf));
  const signsIn = endpoints.some(({ success }) => success.headers?.includes("Set-Cookie"));
  const used = new Set<string>(endpoints.map(({ tag }) => tag));
  const registry = Object.entries(problems).filter(([code]) => known.has(code));
  const errors = describedErrors(Object.fromEntries(registry), {
    401: ["WWW-Authenticate"],
    405: ["Allow"],
    429: ["Retry-After"],
    503: ["Retry-After"],
  });
  const schemas: Record<string, JsonSchema> = { Error: errors.schema };
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const endpoint of endpoints) {
    const { body, success, path, method } = endpoint;
    if (body !== undefined) schemas[body.name] = body.json;
    if (success.schema !== undefined) schemas[success.schema.name] = success.schema.json;
    const shownPath = path.replaceAll(/:(\w+)/g, "{$1}");
    const operations = (paths[shownPath] ??= {});
    operations[method.toLowerCase()] = describeOperation(endpoint);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Petstore management",
      version: "1.0.0",
      summary: "Accounts, keys, sites and what they did.",
      description:
        "For operators and for the people of an account. Operations take a management token as a bearer token, or the cookie of a session, but for those that a token or a session is had by. With a cookie, changes are only made for pages of this very origin. What belongs to another account is not found. Every answer tells the rate limit in its headers. Every error has the same body: `code`, `message`, `status`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: ROOT, description: "This installation" }],
    security: [{ managementToken: [] }, { session: [] }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
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
          description: "Of a browser that signed in; counts over HTTPS and on the machine itself.",
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
