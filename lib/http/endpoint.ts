import type { Eventual } from "../base/eventual.ts";
import type { Problem, ProblemCode } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { JsonSchema, Schema } from "../base/schema.ts";
import type { Named, Shape } from "../base/shape.ts";
import type { AnswerOf } from "./answer.ts";
import type { NamesIn, Operation } from "./operation.ts";
import {
  namedParameters,
  type NamedParameter,
  type Parameters,
  type QueryOf,
} from "./parameters.ts";

/** A header of a successful response that the OpenAPI document describes. */
export type HeaderName =
  | "ETag"
  | "Link"
  | "Location"
  | "X-Total-Count"
  | "Deprecation"
  | "Sunset"
  | "Idempotent-Replayed"
  | "Set-Cookie";

/** When and by what an operation is replaced. */
export interface Deprecation {
  /** Start of the deprecation (RFC 9745), in milliseconds since the Unix epoch. */
  readonly deprecatedAt: number;
  /** End of the operation (RFC 8594), in milliseconds since the Unix epoch. */
  readonly sunsetAt: number;
  /** The path of the replacement below the root. */
  readonly successor: string;
}

/** Returns a declared path as OpenAPI writes it: `/pets/{petId}` for `/pets/:petId`. */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}

/** The part of an operation's declaration that all APIs share: for routing, validation and documentation. */
export interface Declared<Body = unknown> {
  readonly operationId: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** The path below the root, with parameters as `:account`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly NamedParameter[];
  readonly body?: Named<Schema<Body>>;
  /** Long work that gives way to other requests, and is none itself in `Traffic`. */
  readonly bulk?: true;
  /** Accepts `If-Match`. */
  readonly conditional?: true;
  readonly deprecation?: Deprecation;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly description: string;
    readonly schema?: { readonly json: JsonSchema; readonly name: string };
    readonly example?: unknown;
    /** Headers beyond those that all operations send. */
    readonly headers?: readonly HeaderName[];
  };
  /** Refusals beyond those that all operations share. */
  readonly refusals: readonly ProblemCode[];
}

/**
 * A request that passed all checks before its action. The access policy of its endpoint adds members. Instants are in
 * milliseconds since the Unix epoch.
 */
export interface Call<
  Body = unknown,
  Query = Readonly<Record<string, unknown>>,
  Name extends string = string,
> {
  /** The parameters of the path. */
  readonly params: Readonly<Record<Name, string>>;
  /** The values of the endpoint's query parameters; absent ones are absent. */
  readonly query: Query;
  /** Checked by the endpoint's `body`. */
  readonly body: Body;
  readonly request: Request;
  /** The address at which the caller reached the API: `https://host/prefix/v1`. */
  readonly base: string;
  /** When the request arrived. */
  readonly now: number;
}

/** A value with its own headers or entity tag. */
export class Reply<Value> {
  readonly value: Value;
  readonly headers: Readonly<Record<string, string>>;
  /** Includes its quotes. Default: made from the body, for reads. */
  readonly etag: string | undefined;
  /** The value of a further `Set-Cookie`, beside one in `headers`. */
  readonly cookie: string | undefined;

  constructor(
    value: Value,
    {
      headers = {},
      etag,
      cookie,
    }: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly etag?: string;
      readonly cookie?: string | undefined;
    } = {},
  ) {
    this.value = value;
    this.headers = headers;
    this.etag = etag;
    this.cookie = cookie;
  }
}

/** Server-sent events, already encoded. */
export class EventReply {
  readonly stream: ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(stream: ReadableStream<Uint8Array>, headers: Readonly<Record<string, string>> = {}) {
    this.stream = stream;
    this.headers = headers;
  }
}

/** A file, which is sent as it is. */
export class FileReply {
  readonly content: Blob;
  /** Its media type. */
  readonly type: string;

  constructor(content: Blob, type: string) {
    this.content = content;
    this.type = type;
  }
}

/** The outcome of an operation whose output has this type. */
export type Outcome<Value> = Result<Value | Reply<Value> | EventReply | FileReply, Problem>;

/** The outcome by its form: a value that the engine encodes, or encoded JSON. */
interface OutcomeIn<Value> {
  readonly value: Outcome<Value>;
  readonly json: Result<AnswerOf<Value>, Problem>;
}

/** An endpoint as the engine of its API serves it. */
export interface Served extends Declared {
  readonly access: object;
  run(call: Call, services: never): Eventual<Result<unknown, Problem>>;
}

/**
 * The access policy of an endpoint: who may call it. It belongs to the API of `Each`, adds the members of `Given` to the
 * call, and fixes the form of the outcome. The members carry these types and are never present.
 */
export interface Access<Each extends Served, Given, Form extends keyof OutcomeIn<unknown>> {
  readonly "~endpoint"?: Each;
  readonly "~given"?: Given;
  readonly "~form"?: Form;
}

/** The members of a declaration that the builder types itself. */
type Typed = "method" | "path" | "access" | "parameters" | "body" | "success" | "run";

/**
 * Declares an operation once, for the API that its access policy belongs to. The shape of its output is the type of the
 * value that `run` returns, and of the value that a client gets; `OperationsOf` reads both from the table of endpoints.
 */
export function endpoint<
  const Method extends Declared["method"],
  const Path extends string,
  Each extends Served,
  Given,
  Form extends keyof OutcomeIn<unknown>,
  const Declaration extends Parameters = Record<never, never>,
  Body = undefined,
  Value = undefined,
>({
  query,
  ...declared
}: Omit<Each, Typed> & {
  readonly method: Method;
  readonly path: Path;
  readonly access: Access<Each, Given, Form>;
  readonly query?: Declaration;
  /** In the management API, a body without required members may be omitted; then it is `{}`. */
  readonly body?: Named<Schema<Body>>;
  readonly success: Omit<Each["success"], "schema"> & { readonly schema?: Named<Shape<Value>> };
  readonly run: (
    call: Call<Body, QueryOf<Declaration>, NamesIn<Path>> & Given,
    services: ServicesOf<Each>,
  ) => Eventual<OutcomeIn<NoInfer<Value>>[Form]>;
}): Each &
  Carries<{
    readonly method: Method;
    readonly path: Path;
    readonly query: Declaration;
    readonly body: Body;
    readonly output: Value;
  }> {
  // The engine only calls `run` under the declared access, with a query and a body that the declaration checked.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return {
    ...declared,
    parameters: namedParameters(query ?? {}),
  } as unknown as Each;
}

type ServicesOf<Each extends Served> = Each["run"] extends (
  call: never,
  services: infer Services,
) => unknown
  ? Services
  : never;

/** An endpoint that carries the types of its operation, for typed clients. */
export interface Carries<Each extends Operation> {
  /** Carries the types of the operation; never present. */
  readonly "~operation"?: Each;
}
