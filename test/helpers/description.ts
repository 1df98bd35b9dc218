import Ajv2020 from "ajv/dist/2020";

import type { Reply } from "./api.ts";

/** The subset of JSON Schema in the OpenAPI document. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<
    Record<string, { readonly schema: Schema; readonly example?: unknown }>
  >;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly "x-tagGroups": readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly headers: Readonly<Record<string, unknown>>;
  };
}

/** An operation with its path and method. */
export interface Located extends Operation {
  readonly method: string;
  /** Below `/v1`, with `{petId}`. */
  readonly path: string;
}

/** The OpenAPI document, for comparison with responses. */
export interface Description {
  readonly document: Document;
  readonly operations: readonly Located[];
  /** Resolves a `$ref`. */
  readonly resolve: (schema: Schema) => Schema;
  readonly responseOf: (operation: Operation, status: number) => Response | undefined;
  /** Returns why `value` does not match `schema`; undefined if it does. */
  readonly faultOf: (schema: Schema, value: unknown) => string | undefined;
  /** Returns why the response is not documented for `operation`; undefined if it is. */
  readonly faultOfReply: (operation: Operation, reply: Reply<unknown>) => string | undefined;
}

/** Sent only on request or under certain conditions. */
const conditional = ["x-total-count", "idempotent-replayed", "retry-after", "www-authenticate"];

/** Headers of HTTP and CORS that every response may have. */
const common =
  /^(access-control-.*|allow|cache-control|content-(length|type)|vary|x-content-type-options)$/;

/** Wraps a document. `sometimes` lists further headers that are documented but not always sent. */
export function describing(document: Document, sometimes: readonly string[] = []): Description {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  ajv.addFormat("password", true);
  ajv.addFormat("int64", { type: "number", validate: Number.isSafeInteger });
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  ajv.addFormat("date", /^\d{4}-\d\d-\d\d$/);
  ajv.addFormat("uri", { type: "string", validate: (text) => URL.canParse(text) });
  ajv.addSchema(document, "api");
  const optional = new Set([...conditional, ...sometimes]);

  const lookUp = (reference: string): unknown => {
    let found: unknown = document;
    for (const part of reference.split("/").slice(1)) {
      found = (found as Readonly<Record<string, unknown>>)[part];
    }
    return found;
  };
  const responseOf = (operation: Operation, status: number): Response | undefined => {
    const response = operation.responses[status];
    return response?.$ref === undefined ? response : (lookUp(response.$ref) as Response);
  };
  const faultOf = (schema: Schema, value: unknown): string | undefined => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"api#/');
    const validate = (compiled[text] ??= ajv.compile(JSON.parse(text)));
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
  const compiled: Record<string, ReturnType<typeof ajv.compile>> = {};

  return {
    document,
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
      })),
    ),
    resolve: (schema) => (schema.$ref === undefined ? schema : (lookUp(schema.$ref) as Schema)),
    responseOf,
    faultOf,
    faultOfReply: (operation, reply) => {
      const { status, headers, body, text } = reply;
      const response = responseOf(operation, status);
      if (response === undefined) return `status ${status} is not documented`;
      const named = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
      const missing = named.filter((name) => !optional.has(name) && !headers.has(name));
      if (missing.length > 0) return `${missing.join(", ")} are documented and absent`;
      const strange = [...headers.keys()].filter(
        (name) => !named.includes(name) && !common.test(name),
      );
      if (strange.length > 0) return `${strange.join(", ")} are sent and not documented`;
      const content = response.content?.["application/json"];
      // A file has a media type of its own.
      if (
        response.content?.[headers.get("content-type") ?? ""] !== undefined &&
        body === undefined
      ) {
        return undefined;
      }
      if (content === undefined) return text === "" ? undefined : "a body is not documented";
      const fault = faultOf(content.schema, body);
      if (fault !== undefined) return `the body does not fit: ${fault}`;
      const said = (body as { readonly status?: unknown } | undefined)?.status;
      return status >= 400 && said !== status ? `the body says status ${String(said)}` : undefined;
    },
  };
}
