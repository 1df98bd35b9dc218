import type { Eventual } from "../base/eventual.ts";
import type { Problem, ProblemCode } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { JsonSchema, Schema } from "../base/schema.ts";
import type { Account } from "../model/account.ts";
import type { Project } from "../publishing/model/project.ts";
import type { Principal, Role } from "./model/principal.ts";
import type { ManagementServices } from "./management.ts";
import type { SignIn } from "./sign-in.ts";

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
export interface ManagementCall<Body = unknown> {
  readonly principal: Principal;
  /** Of the path, decoded: `{ key: "…" }`. `account` and `project` were looked up already. */
  readonly params: Readonly<Record<string, string>>;
  /** By the endpoint's parameters; absent ones are absent. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Checked by the endpoint's `body`. */
  readonly body: Body;
  readonly request: Request;
  /** `https://host/manage/v1`: where the caller reached us. */
  readonly base: string;
  readonly visitor: Visitor;
  readonly now: number;
  /** False when the caller's token is good no more, or its account is gone: asked anew, for answers that last. */
  readonly stillAllowed: () => Eventual<boolean>;
}

/** A request that comes without a token. */
export type AnonymousCall<Body = unknown> = Omit<
  ManagementCall<Body>,
  "principal" | "stillAllowed"
>;

/** The account or project that the path names; that the caller may see it was checked. */
export interface AccountCall<Body = unknown> extends ManagementCall<Body> {
  readonly account: Account;
}
export interface ProjectCall<Body = unknown> extends ManagementCall<Body> {
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

/** An operation with a body, whose handler knows what its schema lets through. */
export function withBody<Body>(
  endpoint: ManagementEndpoint<Body> & { readonly body: Schema<Body> & { readonly name: string } },
): ManagementEndpoint {
  // `handle` is a method: it is only ever called with a body that this very schema let through.
  return endpoint;
}
