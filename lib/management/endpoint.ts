import { andThen, type Eventual } from "../base/eventual.ts";
import type { Problem, ProblemCode } from "../base/problem.ts";
import { done, type Result } from "../base/result.ts";
import type { JsonSchema, Schema } from "../base/schema.ts";
import type { Named, Shape } from "../base/shape.ts";
import type { NamesIn, Operation } from "../http/operation.ts";
import type { Parameters, QueryOf } from "../http/parameters.ts";
import type { Account } from "../model/account.ts";
import type { Project } from "../publishing/model/project.ts";
import type { Principal, Role } from "../accounts/principal.ts";
import type { ManagementServices } from "./management.ts";
import type { SignIn } from "./sessions.ts";

export type ManagementTag =
  | "setup"
  | "sessions"
  | "members"
  | "accounts"
  | "tokens"
  | "keys"
  | "animals"
  | "projects"
  | "deploys"
  | "domains"
  | "certificates"
  | "usage"
  | "events"
  | "system";

/** A query parameter, checked before the handler is called: an empty, repeated or unknown one is refused. */
export interface ManagementParameter {
  readonly name: string;
  readonly description: string;
  readonly json: JsonSchema;
  /** What is allowed, in words: "must be …". */
  readonly rule: string;
  /** The value, or undefined when the text is not allowed. */
  read(text: string): unknown;
}

/** Where a request comes from, and by which way. */
export interface Visitor {
  /** `https://pets.example.org`: what the visitor typed; empty where it named no host. */
  readonly origin: string;
  /** IP address, where the host knows it. */
  readonly address: () => string | undefined;
  readonly signIn: SignIn;
}

/** A request that passed all checks that come before its action. */
export interface ManagementCall<
  Body = unknown,
  Query = Readonly<Record<string, unknown>>,
  Name extends string = string,
> {
  readonly principal: Principal;
  /** The parameters of the path, decoded. `account` and `project` were looked up already. */
  readonly params: Readonly<Record<Name, string>>;
  /** The values of the endpoint's query parameters; absent ones are absent. */
  readonly query: Query;
  /** Checked by the endpoint's `body`. */
  readonly body: Body;
  readonly request: Request;
  /** `https://host/manage/v1`: where the caller reached the service. */
  readonly base: string;
  readonly visitor: Visitor;
  readonly now: number;
  /** Checks the credential again, for answers that last: false once it or its account no longer counts. */
  readonly stillAllowed: () => Eventual<boolean>;
}

/** A request without a credential. */
export type AnonymousCall<
  Body = unknown,
  Query = Readonly<Record<string, unknown>>,
  Name extends string = string,
> = Omit<ManagementCall<Body, Query, Name>, "principal" | "stillAllowed">;

/** The path names an account that the caller may see. */
export interface AccountCall<
  Body = unknown,
  Query = Readonly<Record<string, unknown>>,
  Name extends string = string,
> extends ManagementCall<Body, Query, Name> {
  readonly account: Account;
}

/** The path names a project that the caller may see. */
export interface ProjectCall<
  Body = unknown,
  Query = Readonly<Record<string, unknown>>,
  Name extends string = string,
> extends ManagementCall<Body, Query, Name> {
  readonly project: Project;
}

/** What a handler says. */
export interface ManagementAnswer {
  readonly status: 200 | 201 | 202 | 204;
  /** Sent as JSON by `wire.ts`: instants in RFC 3339. Absent with 204 and with a stream. */
  readonly value?: unknown;
  /** Server-sent events, already encoded. */
  readonly stream?: ReadableStream<Uint8Array>;
  /** With its quotes: of what changes by versions. Absent: made from the body, for reads. */
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler makes of a call. */
export type ManagementReply = Eventual<Result<ManagementAnswer, Problem>>;

interface Shared<Body> {
  readonly operationId: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below `/manage/v1`, parameters as `:account`, `:project`, `:key` … */
  readonly path: string;
  readonly tag: ManagementTag;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly ManagementParameter[];
  /** A body none of whose members is required may be left out: then it is `{}`. */
  readonly body?: Schema<Body> & { readonly name: string };
  /** Default 64 KiB. */
  readonly maxBodyBytes?: number;
  /** The handler reads the body itself, as a stream, if it is of one of these media types. */
  readonly streams?: { readonly types: readonly string[]; readonly description: string };
  /** Takes `If-Match`. */
  readonly conditional?: true;
  /**
   * It outlives the session, or cannot be undone: whoever signed in must have proved lately who they are. Tokens are
   * not asked.
   */
  readonly weighty?: true;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly description: string;
    readonly schema?: { readonly json: JsonSchema; readonly name: string };
    readonly example?: unknown;
    /** Names of the headers that only some operations send; every read has an `ETag`. */
    readonly headers?: readonly ("ETag" | "Link" | "Location" | "Set-Cookie")[];
    /** It can also be had as `text/event-stream`. */
    readonly events?: string;
  };
  /** What it may answer besides the refusals that all operations share. */
  readonly refusals: readonly ProblemCode[];
}

/** One operation: routing, access, checks, documentation and tests are all made of this. */
export type ManagementEndpoint<Body = unknown> = Shared<Body> &
  (
    | {
        /** Without a token: it proves by other means that it may. */
        readonly access: "anyone";
        /** Gives a session's cookie: only over HTTPS or within the machine, and never to pages of others. */
        readonly signsIn?: true;
        handle(call: AnonymousCall<Body>, services: ManagementServices): ManagementReply;
      }
    | {
        /** Any caller of at least this role; of which account is the handler's business. */
        readonly access: "platform";
        readonly role: Role;
        /** It is about the caller alone: the people of a suspended account can do it too. */
        readonly evenSuspended?: true;
        handle(call: ManagementCall<Body>, services: ManagementServices): ManagementReply;
      }
    | {
        /** The path names `:account`; whoever may not see it gets 404, whoever lacks the role 403. */
        readonly access: "account";
        readonly role: Role;
        readonly evenSuspended?: never;
        handle(call: AccountCall<Body>, services: ManagementServices): ManagementReply;
      }
    | {
        /** The path names `:project`, by slug or id; likewise. */
        readonly access: "project";
        readonly role: Role;
        readonly evenSuspended?: never;
        handle(call: ProjectCall<Body>, services: ManagementServices): ManagementReply;
      }
  );

/** A value with headers or an entity tag of its own. */
export class Reply<Value> {
  readonly value: Value;
  readonly headers: Readonly<Record<string, string>>;
  /** With its quotes. Default: made from the body, for reads. */
  readonly etag: string | undefined;

  constructor(
    value: Value,
    {
      headers = {},
      etag,
    }: { readonly headers?: Readonly<Record<string, string>>; readonly etag?: string } = {},
  ) {
    this.value = value;
    this.headers = headers;
    this.etag = etag;
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

/** The outcome of an operation whose output has this type. */
export type Outcome<Value> = Result<Value | Reply<Value> | EventReply, Problem>;

interface CallBy<Body, Query, Name extends string> {
  readonly anyone: AnonymousCall<Body, Query, Name>;
  readonly platform: ManagementCall<Body, Query, Name>;
  readonly account: AccountCall<Body, Query, Name>;
  readonly project: ProjectCall<Body, Query, Name>;
}

type AccessPart = {
  [Access in keyof CallBy<unknown, unknown, string>]: Omit<
    Extract<ManagementEndpoint, { readonly access: Access }>,
    keyof Shared<unknown> | "handle" | "access"
  > & { readonly access: Access };
};

/** An endpoint that keeps the types of its operation. */
export type TypedEndpoint<Each extends Operation> = ManagementEndpoint & {
  /** Carries the types of the operation; never present. */
  readonly "~operation"?: Each;
};

/**
 * Declares an operation once. Its output's shape is the type of the value that `run` returns, and of the value that a
 * client gets; `OperationsOf` reads both from the table of endpoints.
 */
export function endpoint<
  const Method extends ManagementEndpoint["method"],
  const Path extends string,
  const Access extends keyof AccessPart,
  const Declared extends Parameters = Record<never, never>,
  Body = undefined,
  Value = undefined,
>({
  query,
  run,
  ...declared
}: Omit<Shared<Body>, "method" | "path" | "parameters" | "success"> &
  AccessPart[Access] & {
    readonly method: Method;
    readonly path: Path;
    readonly access: Access;
    readonly query?: Declared;
    readonly success: Omit<ManagementEndpoint["success"], "schema"> & {
      readonly schema?: Named<Shape<Value>>;
    };
    readonly run: (
      call: CallBy<Body, QueryOf<Declared>, NamesIn<Path>>[Access],
      services: ManagementServices,
    ) => Eventual<Outcome<NoInfer<Value>>>;
  }): TypedEndpoint<{
  readonly method: Method;
  readonly path: Path;
  readonly query: Declared;
  readonly body: Body;
  readonly output: Value;
}> {
  const { status } = declared.success;
  // `run` only gets calls of the declared access, with a query and a body that the declaration checked.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return {
    ...declared,
    parameters: Object.entries(query ?? {}).map(([name, parameter]) => ({ name, ...parameter })),
    handle: (call: never, services: ManagementServices) =>
      andThen(run(call, services), (outcome) =>
        outcome.ok ? done(answerOf(status, outcome.value)) : outcome,
      ),
  } as unknown as ReturnType<typeof endpoint<Method, Path, Access, Declared, Body, Value>>;
}

function answerOf(status: ManagementAnswer["status"], value: unknown): ManagementAnswer {
  if (value instanceof Reply) {
    const { etag, headers } = value;
    return { status, value: value.value, headers, ...(etag === undefined ? {} : { etag }) };
  }
  if (value instanceof EventReply) return { status, stream: value.stream, headers: value.headers };
  return { status, value };
}

/** An operation with a body, whose handler knows what its schema lets through. */
export function withBody<Body>(
  declared: ManagementEndpoint<Body> & { readonly body: Schema<Body> & { readonly name: string } },
): ManagementEndpoint {
  // `handle` is a method: it is only ever called with a body that this very schema let through.
  return declared;
}
