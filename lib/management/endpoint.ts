import type { Eventual } from "../base/eventual.ts";
import type { Access, Call, Declared, Outcome } from "../http/endpoint.ts";
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

/** What every call has. */
interface Visited {
  readonly visitor: Visitor;
}

/** What the checks of a credential add to a call. */
interface Identified extends Visited {
  readonly principal: Principal;
  /** Checks the credential again, for answers that last: false once it or its account no longer counts. */
  readonly stillAllowed: () => Eventual<boolean>;
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

/** A call as the engine makes it: the account and the project are those that the path names. */
export type AnyCall = AnonymousCall & Partial<AccountCall & ProjectCall>;

/** An operation of the management API: routing, access, checks, documentation and tests are made of it. */
export interface ManagementEndpoint extends Declared {
  readonly tag: ManagementTag;
  readonly access: ManagementAccess;
  /** Default 64 KiB. */
  readonly maxBodyBytes?: number;
  /** The operation reads bodies of these media types itself, as a stream. */
  readonly streams?: { readonly types: readonly string[]; readonly description: string };
  readonly success: Declared["success"] & {
    /** Describes the answer as `text/event-stream`, where the operation has one. */
    readonly events?: string;
  };
  run(call: AnyCall, services: ManagementServices): Eventual<Outcome<unknown>>;
}

/** Who may call an operation. */
export type ManagementAccess = AnyoneAccess | PrincipalAccess;

/** Clients without a credential, which prove their right in another way. */
export interface AnyoneAccess {
  readonly kind: "anyone";
  /** Gives a session's cookie, so only over HTTPS or on loopback, and to no page of another origin. */
  readonly signsIn?: true;
}

/**
 * Callers of at least a role. With `account` and `project` the path names one, `:project` by slug or id: callers who may
 * not see it get 404, callers who lack the role 403.
 */
export interface PrincipalAccess {
  readonly kind: "platform" | "account" | "project";
  /** The least role. */
  readonly role: Role;
  /** Concerns the caller alone, so members of a suspended account may call it. */
  readonly evenSuspended?: true;
  /** Outlives the session or cannot be undone: a signed-in member needs a recent proof of identity. */
  readonly sensitive?: true;
}

type Sensitive = Pick<PrincipalAccess, "sensitive">;

/** Clients without a credential. */
export function anyone(
  more: Omit<AnyoneAccess, "kind"> = {},
): AnyoneAccess & Access<ManagementEndpoint, Visited, "value"> {
  return { kind: "anyone", ...more };
}

/** Callers of at least this role, of any account. */
export function onPlatform(
  role: Role,
  more: Omit<PrincipalAccess, "kind" | "role"> = {},
): PrincipalAccess & Access<ManagementEndpoint, Identified, "value"> {
  return { kind: "platform", role, ...more };
}

/** Callers of at least this role, in the account that the path names. */
export function inAccount(
  role: Role,
  more: Sensitive = {},
): PrincipalAccess & Access<ManagementEndpoint, InAccount, "value"> {
  return { kind: "account", role, ...more };
}

/** Callers of at least this role, in the account of the project that the path names. */
export function inProject(
  role: Role,
  more: Sensitive = {},
): PrincipalAccess & Access<ManagementEndpoint, InProject, "value"> {
  return { kind: "project", role, ...more };
}

/** The headers of an answer with a secret, which no cache may store. */
export const noStore: Readonly<Record<string, string>> = { "cache-control": "no-store" };
