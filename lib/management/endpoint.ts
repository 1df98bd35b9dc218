import type { Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Schema } from "../base/schema.ts";
import type { Named, Shape } from "../base/shape.ts";
import type { Declared } from "../http/endpoint.ts";
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

/** The client of a request. */
export interface Visitor {
  /** `https://pets.example.org`: the origin that the client used; empty where the request named no host. */
  readonly origin: string;
  /** IP address, if the host knows it. */
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

/** An operation of the management API: routing, access, checks, documentation and tests are made of it. */
export interface ManagementEndpoint extends Declared {
  readonly tag: ManagementTag;
  /**
   * Who may call it. `anyone`: a client without a credential, which proves its right in another way. `platform`: any
   * caller of at least the role. `account`, `project`: the path names one, `:project` by slug or id; a caller who may not
   * see it gets 404, one who lacks the role 403.
   */
  readonly access: keyof CallBy<unknown, unknown, string>;
  /** The least role; absent with `anyone`. */
  readonly role?: Role;
  /** With `anyone`: gives a session's cookie, so only over HTTPS or on loopback, and to no page of another origin. */
  readonly signsIn?: true;
  /** With `platform`: concerns the caller alone, so members of a suspended account may call it. */
  readonly evenSuspended?: true;
  /** Outlives the session or cannot be undone: a signed-in member needs a recent proof of identity. */
  readonly weighty?: true;
  /** Default 64 KiB. */
  readonly maxBodyBytes?: number;
  /** The handler reads bodies of these media types itself, as a stream. */
  readonly streams?: { readonly types: readonly string[]; readonly description: string };
  readonly success: Declared["success"] & {
    /** Describes the answer as `text/event-stream`, where the operation has one. */
    readonly events?: string;
  };
  run(call: AnyCall, services: ManagementServices): Eventual<Outcome<unknown>>;
}

/** A call as the engine makes it: the account and the project are those that the path names. */
export type AnyCall = AnonymousCall & Partial<AccountCall & ProjectCall>;

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

/** The headers of an answer with a secret, which no cache may store. */
export const noStore: Readonly<Record<string, string>> = { "cache-control": "no-store" };

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

/** The members of a declaration that go with each access. */
interface AccessPart {
  readonly anyone: { readonly signsIn?: true };
  readonly platform: { readonly role: Role; readonly evenSuspended?: true };
  readonly account: { readonly role: Role };
  readonly project: { readonly role: Role };
}

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
  const Declaration extends Parameters = Record<never, never>,
  Body = undefined,
  Value = undefined,
>({
  query,
  run,
  ...declared
}: Omit<
  ManagementEndpoint,
  "method" | "path" | "access" | "role" | "parameters" | "body" | "success" | "run"
> &
  AccessPart[Access] & {
    readonly method: Method;
    readonly path: Path;
    readonly access: Access;
    readonly query?: Declaration;
    /** A body none of whose members is required may be left out: then it is `{}`. */
    readonly body?: Named<Schema<Body>>;
    readonly success: Omit<ManagementEndpoint["success"], "schema"> & {
      readonly schema?: Named<Shape<Value>>;
    };
    readonly run: (
      call: CallBy<Body, QueryOf<Declaration>, NamesIn<Path>>[Access],
      services: ManagementServices,
    ) => Eventual<Outcome<NoInfer<Value>>>;
  }): TypedEndpoint<{
  readonly method: Method;
  readonly path: Path;
  readonly query: Declaration;
  readonly body: Body;
  readonly output: Value;
}> {
  // `run` only gets calls of the declared access, with a query and a body that the declaration checked.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return {
    ...declared,
    run,
    parameters: Object.entries(query ?? {}).map(([name, parameter]) => ({ name, ...parameter })),
  } as unknown as ReturnType<typeof endpoint<Method, Path, Access, Declaration, Body, Value>>;
}
