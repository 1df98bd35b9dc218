import type { Eventual } from "../base/eventual.ts";
import type { Access, Call, Declared, Outcome } from "../http/endpoint.ts";
import type { Account } from "../model/account.ts";
import type { Actor } from "../model/actor.ts";
import type { Records } from "../model/audit-types.ts";
import type { Project } from "../publishing/model/project.ts";
import type { Principal, Role } from "../accounts/principal.ts";
import type { ManagementServices } from "./management.ts";
import type { SignIn } from "./sessions.ts";

/** A group of operations in the management API's OpenAPI document. */
export type ManagementTag =
  | "setup"
  | "sessions"
  | "members"
  | "accounts"
  | "tokens"
  | "keys"
  | "animals"
  | "imports"
  | "projects"
  | "deploys"
  | "domains"
  | "certificates"
  | "usage"
  | "events"
  | "webhooks"
  | "audit"
  | "system";

/** The client of a request. */
export interface Visitor {
  /** The origin that the client used: `https://pets.example.org`; empty if the request named no host. */
  readonly origin: string;
  /** IP address, if the host knows it. */
  readonly address: () => string | undefined;
  readonly signIn: SignIn;
}

/** The member that every call has. */
interface Visited {
  readonly visitor: Visitor;
  /** Who makes the changes of the call. The services of the call record it; other contexts are made for it. */
  readonly actor: Actor;
}

/** The members that the checks of a credential add to a call. */
interface Identified extends Visited {
  readonly principal: Principal;
  /** Identifies the caller again, for long responses: undefined after its credential was revoked or its account deleted. */
  readonly principalNow: () => Eventual<Principal | undefined>;
}

/** The path names an account that the caller may see. */
interface InAccount extends Identified {
  readonly account: Account;
}

/** The path names a project that the caller may see. */
interface InProject extends Identified {
  readonly project: Project;
}

type AnyQuery = Readonly<Record<string, unknown>>;

/** A request without a credential. */
export type AnonymousCall<Body = unknown, Query = AnyQuery, Name extends string = string> = Call<
  Body,
  Query,
  Name
> &
  Visited;

/** A request of an identified caller. The parameters of its path are decoded. */
export type ManagementCall<Body = unknown, Query = AnyQuery, Name extends string = string> = Call<
  Body,
  Query,
  Name
> &
  Identified;

/** A request to an account that the caller may see. */
export type AccountCall<Body = unknown, Query = AnyQuery, Name extends string = string> = Call<
  Body,
  Query,
  Name
> &
  InAccount;

/** A request to a project that the caller may see. */
export type ProjectCall<Body = unknown, Query = AnyQuery, Name extends string = string> = Call<
  Body,
  Query,
  Name
> &
  InProject;

/** A call as the engine makes it, with the account and the project that the path names. */
export type AnyCall = AnonymousCall & Partial<AccountCall & ProjectCall>;

/** An operation of the management API, for routing, access, validation, documentation and tests. */
export interface ManagementEndpoint extends Declared {
  readonly tag: ManagementTag;
  readonly access: ManagementAccess;
  /**
   * Returns what the audit log records of a call that succeeded, if its changes write no event; undefined for nothing. It is
   * written before the response is sent.
   */
  readonly records?: Records;
  /** Default 64 KiB. */
  readonly maxBodyBytes?: number;
  /** The operation reads bodies of these media types itself, as a stream. */
  readonly streams?: { readonly types: readonly string[]; readonly description: string };
  readonly success: Declared["success"] & {
    /** Describes the response as `text/event-stream`, if the operation has one. */
    readonly events?: string;
    /** The media types of the file that the operation sends instead of JSON. */
    readonly files?: readonly string[];
  };
  run(call: AnyCall, services: ManagementServices): Eventual<Outcome<unknown>>;
}

/** Who may call an operation. */
export type ManagementAccess = AnyoneAccess | PrincipalAccess;

/** Clients without a credential, which prove their identity in another way. */
export interface AnyoneAccess {
  readonly kind: "anyone";
  /** Sets a session's cookie: only over HTTPS or on loopback, and not for pages of other origins. */
  readonly signsIn?: true;
}

/**
 * Callers with at least a role. With `account` and `project` the path names one, `:project` by slug or id: callers who may
 * not see it get 404, callers who lack the role 403.
 */
export interface PrincipalAccess {
  readonly kind: "platform" | "account" | "project";
  /** The lowest role that may call it. */
  readonly role: Role;
  /** Concerns only the caller, so members of a suspended account may call it. */
  readonly evenSuspended?: true;
  /** Its effect outlives the session or cannot be undone, so signed-in members need a recent proof of identity. */
  readonly sensitive?: true;
}

type Sensitive = Pick<PrincipalAccess, "sensitive">;

/** Clients without a credential. */
export function anyone(
  more: Omit<AnyoneAccess, "kind"> = {},
): AnyoneAccess & Access<ManagementEndpoint, Visited, "value"> {
  return { kind: "anyone", ...more };
}

/** Callers with at least this role, of any account. */
export function onPlatform(
  role: Role,
  more: Omit<PrincipalAccess, "kind" | "role"> = {},
): PrincipalAccess & Access<ManagementEndpoint, Identified, "value"> {
  return { kind: "platform", role, ...more };
}

/** Callers with at least this role in the account that the path names. */
export function inAccount(
  role: Role,
  more: Sensitive = {},
): PrincipalAccess & Access<ManagementEndpoint, InAccount, "value"> {
  return { kind: "account", role, ...more };
}

/** Callers with at least this role in the account of the project that the path names. */
export function inProject(
  role: Role,
  more: Sensitive = {},
): PrincipalAccess & Access<ManagementEndpoint, InProject, "value"> {
  return { kind: "project", role, ...more };
}

/** The headers of an answer with a secret, which no cache may store. */
export const noStore: Readonly<Record<string, string>> = { "cache-control": "no-store" };
