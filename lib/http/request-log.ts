import type { Caller } from "../accounts/keyring.ts";
import type { JsonSchema } from "../base/field-error.ts";
import { normalTarget } from "../base/normal-path.ts";
import type { ProblemCode } from "../base/problem.ts";
import type { Environment } from "../model/account.ts";
import type { ReportedWindow } from "../model/window.ts";
import { addressParts, pathStartOf, userOf, type Exchange } from "./exchange.ts";
import type { NamedParameter } from "./parameters.ts";

/** The rules that refuse a request whatever it asks for. */
export const requestRules = [
  "minute_limit",
  "day_limit",
  "ban",
  "inquiry_limit",
  "address_limit",
  "scope",
  "networks",
  "suspension",
] as const;
/**
 * The rule that refused a request: a window of its limits, the ban of its key, the limit of `GET /rate-limit`, the limit of
 * failed authentication of its address, the scopes or the networks of its key, or the suspension of its account.
 */
export type RequestRule = (typeof requestRules)[number];

/** The counters that requests meet. */
export const requestCounters = ["catalogue", "key", "user", "inquiries", "address"] as const;
/**
 * What the windows of a request belong to: all keys of an environment, one key, users of the host who are counted on their
 * own, reads of the limits, or an address.
 */
export type RequestCounter = (typeof requestCounters)[number];

/** A limit that a request met, after the request was counted. */
export type RequestWindow = Pick<ReportedWindow, "name" | "limit" | "remaining" | "resetsAt">;

/** An answered request of the public API, without its body, its key, and values that a person may have chosen. */
export interface RequestEntry {
  /** The `X-Request-Id` of the response. Not unique: clients may choose it. */
  readonly requestId: string;
  /** When it arrived, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly environment: Environment;
  /** Absent if it had no valid key. */
  readonly keyId?: string;
  /** The id of the host's user, if one made the request. */
  readonly userId?: string;
  readonly method: string;
  /** `listPets`; `unknown` if no operation was found. */
  readonly operation: string;
  /** Below `/v1`, such as `/pets/12`. A part that could name a person or hold a secret is `…`. */
  readonly path: string;
  /** Names of parameters, with the values of enumerations and numbers: `status=sold&q=…`. May be empty. */
  readonly query: string;
  readonly status: number;
  readonly code?: ProblemCode;
  readonly durationMs: number;
  readonly rule?: RequestRule;
  /** The scope that the key lacks; only with the rule `scope`. */
  readonly scope?: string;
  /** Absent if no limit was met. */
  readonly counter?: RequestCounter;
  /** 1 if the request was counted in the windows, and not given back; otherwise 0. */
  readonly cost: 0 | 1;
  readonly windows: readonly RequestWindow[];
}

/**
 * Records answered requests off their path: `createRequests` of `petstore/requests` makes it. Instants are in
 * milliseconds since the Unix epoch.
 */
export interface RequestLog {
  /**
   * Offers an answered request of an account, or one that belongs to none. `make` is called if the request is kept, perhaps
   * never. Must not throw.
   */
  readonly offer: (
    accountId: string | undefined,
    status: number,
    at: number,
    make: () => RequestEntry,
  ) => void;
}

/** The most characters of a path or a query that are kept. */
const MAX_LENGTH = 200;
const MAX_PARTS = 16;
const HIDDEN = "…";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Describes an answered request for the log. */
export function entryOf(
  exchange: Exchange,
  {
    environment,
    keyId,
    status,
    code,
    durationMs,
  }: Pick<RequestEntry, "environment" | "status" | "durationMs"> & {
    readonly keyId: string | undefined;
    readonly code: ProblemCode | undefined;
  },
): RequestEntry {
  const { request, requestId, now, endpoint, verdict, spent, stations, context } = exchange;
  const rule = ruleOf(exchange, code);
  const userId = userOf(exchange.caller);
  const counter = verdict === undefined ? undefined : (exchange.met ?? counterOf(exchange.caller));
  const { scope } = accessOf(endpoint);
  const { address, search } = addressParts(request.url);
  const path = normalTarget(address.slice(pathStartOf(address)));
  const root = stations.rootOf(context);
  return {
    requestId,
    at: now,
    environment,
    ...(keyId === undefined ? {} : { keyId }),
    ...(userId === undefined ? {} : { userId }),
    method: METHODS.has(request.method) ? request.method : HIDDEN,
    operation: endpoint?.operationId ?? "unknown",
    path: path.startsWith(root) ? shownPath(path.slice(root.length), endpoint?.path) : HIDDEN,
    query: shownQuery(search, endpoint?.parameters ?? []),
    status,
    ...(code === undefined ? {} : { code }),
    durationMs: Math.max(0, Math.round(durationMs)),
    ...(rule === undefined ? {} : { rule }),
    ...(rule === "scope" && scope !== undefined ? { scope } : {}),
    ...(counter === undefined ? {} : { counter }),
    cost: spent !== undefined || isCharged(exchange.met, code) ? 1 : 0,
    windows: (verdict?.windows ?? []).map(({ name, limit, remaining, resetsAt }) => ({
      name,
      limit,
      remaining,
      resetsAt,
    })),
  };
}

/** Failed authentication counts against the address until that is refused. */
function isCharged(met: Exchange["met"], code: ProblemCode | undefined): boolean {
  return met === "address" && code !== "rate_limited";
}

function counterOf(caller: Caller | undefined): RequestCounter {
  const [kind = ""] = caller?.spender.counter.split(" ", 1) ?? [];
  return kind === "key" || kind === "user" ? kind : "catalogue";
}

const RULES: Readonly<Partial<Record<ProblemCode, RequestRule>>> = {
  quota_exceeded: "day_limit",
  key_banned: "ban",
  insufficient_scope: "scope",
  address_not_allowed: "networks",
  account_suspended: "suspension",
};

function ruleOf(
  { met }: Pick<Exchange, "met">,
  code: ProblemCode | undefined,
): RequestRule | undefined {
  if (code === undefined) return undefined;
  if (code !== "rate_limited") return RULES[code];
  if (met === "address") return "address_limit";
  return met === "inquiries" ? "inquiry_limit" : "minute_limit";
}

/** Returns the policy of a public operation. */
function accessOf(endpoint: object | undefined): { readonly scope?: string } {
  const access: unknown = endpoint !== undefined && "access" in endpoint && endpoint.access;
  const scope: unknown =
    typeof access === "object" && access !== null && "scope" in access && access.scope;
  return typeof scope === "string" ? { scope } : {};
}

/** A word of a path, or a number: a person or a program that mistypes an address writes these. */
const WORD = /^(?:[a-z][a-z.-]{0,23}|\d{1,16})$/;
const NUMBER = /^\d{1,16}$/;

/** Returns a path as it is kept: words and numbers; of a known path, parameters only if they are numbers. */
function shownPath(path: string, pattern: string | undefined): string {
  const parts = path.split("/").slice(1);
  const known = pattern?.split("/").slice(1);
  const shown = parts.slice(0, MAX_PARTS).map((part, index) => {
    const declared = known?.[index];
    if (declared !== undefined && !declared.startsWith(":")) return part;
    return (declared === undefined ? WORD : NUMBER).test(part) || part === "" ? part : HIDDEN;
  });
  return bounded(`/${shown.join("/")}`, parts.length > MAX_PARTS);
}

/** A name as programs give parameters: `pageSize`, `page_size`. */
const NAME = /^[a-z]{1,16}(?:[A-Z_][a-z]{1,16}){0,2}$/;

/** Returns a query as it is kept: values only if they are valid and of an enumeration, numbers or truth values. */
function shownQuery(search: string, parameters: readonly NamedParameter[]): string {
  if (search === "") return "";
  const parts = search.split("&", MAX_PARTS + 1);
  const shown = parts.slice(0, MAX_PARTS).map((part) => {
    const equals = part.indexOf("=");
    const name = equals === -1 ? part : part.slice(0, equals);
    const parameter = parameters.find((one) => one.name === name);
    if (parameter === undefined && !NAME.test(name)) return HIDDEN;
    const value = equals === -1 ? "" : part.slice(equals + 1);
    if (value === "") return part;
    return `${name}=${parameter !== undefined && isPublic(parameter, value) ? value : HIDDEN}`;
  });
  return bounded(shown.join("&"), parts.length > MAX_PARTS);
}

/** Returns whether a value is one that no person chose freely. */
function isPublic(parameter: NamedParameter, value: string): boolean {
  const isPlain = isClosed(parameter.json) && /^[\w,-]+$/.test(value);
  return isPlain && parameter.read(value) !== undefined;
}

function isClosed(json: JsonSchema): boolean {
  const { enum: choices, type, items } = json;
  if (choices !== undefined || type === "integer" || type === "boolean") return true;
  // The schema of an array's items is an object.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return type === "array" && typeof items === "object" && isClosed(items as JsonSchema);
}

function bounded(text: string, isCut: boolean): string {
  if (text.length > MAX_LENGTH) return text.slice(0, MAX_LENGTH - 1) + HIDDEN;
  return isCut ? text + HIDDEN : text;
}
