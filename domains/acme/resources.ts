import { isObject } from "../../lib/base/field-error.ts";
import { parseJson } from "../../lib/base/json.ts";
import {
  cleanText,
  MAX_SUBPROBLEMS,
  type ProblemDocument,
  validationProblem,
} from "../model/acme-problem.ts";
import type {
  AccountState,
  Directory,
  Authorization,
  Challenge,
  ChallengeType,
  Order,
  RenewalInfo,
} from "../ports/authority.ts";
import { readTime } from "../../lib/base/clock.ts";

/** A JSON object that has not been validated. */
export type Fields = Readonly<Record<string, unknown>>;

/** No ACME resource nests deeper than five levels. */
const MAX_DEPTH = 16;
const MAX_TEXT = 8_192;

/** Parses a JSON object; undefined when `body` holds none. */
export function fieldsIn(body: Uint8Array): Fields | undefined {
  const parsed = parseJson(body, MAX_DEPTH);
  return parsed.ok ? fields(parsed.value) : undefined;
}

function fields(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined;
}

/** Returns a string of at most 8,192 characters; undefined for any other value. */
function text(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= MAX_TEXT ? value : undefined;
}

/** Returns the first `max` items of an array; none for any other value. */
function list(value: unknown, max: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : [];
}

/** Returns the objects among the first `max` items of an array. */
function objects(value: unknown, max: number): readonly Fields[] {
  return list(value, max).filter(isObject);
}

const MAX_URL = 2_048;

/** Printable ASCII without spaces: URLs are shown to people, logged, and compared byte for byte. */
const SHOWABLE = /^[!-~]+$/;

/** Returns an https URL; undefined for any other value. */
export function httpsUrl(value: unknown): string | undefined {
  const address = showable(value, MAX_URL);
  return address?.startsWith("https://") === true && URL.canParse(address) ? address : undefined;
}

/** Returns a text of printable ASCII without spaces; undefined for any other value. */
function showable(value: unknown, max: number): string | undefined {
  return typeof value === "string" && value.length <= max && SHOWABLE.test(value)
    ? value
    : undefined;
}

const PREFIX = "urn:ietf:params:acme:error:";

/** Parses a problem document (RFC 7807); undefined when `body` is not a JSON object. */
export function readProblemDocument(body: Uint8Array): ProblemDocument | undefined {
  const found = fieldsIn(body);
  return found && readProblem(found);
}

/** Reads a problem document that is part of a resource, such as the `error` of a challenge. */
function readProblem(found: Fields): ProblemDocument {
  const parts = objects(found["subproblems"], MAX_SUBPROBLEMS);
  return { ...readPart(found), subproblems: parts.map(readSubproblem) };
}

function readSubproblem(found: Fields): ProblemDocument & { readonly name?: string } {
  const name = text(fields(found["identifier"])?.["value"]);
  return { ...readPart(found), ...(name !== undefined && { name }) };
}

function readPart(found: Fields): ProblemDocument {
  const type = text(found["type"]);
  const detail = text(found["detail"]);
  const instance = text(found["instance"]);
  return {
    ...(type !== undefined && { type: type.startsWith(PREFIX) ? type.slice(PREFIX.length) : type }),
    ...(detail !== undefined && { detail }),
    ...(instance !== undefined && { instance }),
  };
}

const MAX_CONTACTS = 20;

/** Reads an account (RFC 8555 §7.1.2); undefined when it is malformed. */
export function readAccount(found: Fields): AccountState | undefined {
  const { status } = found;
  if (status !== "valid" && status !== "deactivated" && status !== "revoked") return undefined;
  return {
    status,
    contact: list(found["contact"], MAX_CONTACTS).flatMap(
      (one) => cleanText(text(one) ?? "") || [],
    ),
  };
}

/** Endpoint URLs of a CA's directory (RFC 8555 §7.1.1). */
export interface Endpoints {
  readonly newNonce: string;
  readonly newAccount: string;
  readonly newOrder: string;
  readonly revokeCert: string;
  /** Absent if the CA offers no renewal information (RFC 9773). */
  readonly renewalInfo?: string;
  /** Absent if the CA does not support changing account keys. */
  readonly keyChange?: string;
}

const MAX_IDENTITIES = 20;
const MAX_PROFILES = 50;
const MAX_PROFILE_NAME = 100;
/** The longest host name. People copy these into CAA records. */
const MAX_IDENTITY = 253;

/** Reads a directory; undefined when it lacks a required endpoint. */
export function readDirectory(
  found: Fields,
): { readonly endpoints: Endpoints; readonly directory: Directory } | undefined {
  const [newNonce, newAccount] = [httpsUrl(found["newNonce"]), httpsUrl(found["newAccount"])];
  const [newOrder, revokeCert] = [httpsUrl(found["newOrder"]), httpsUrl(found["revokeCert"])];
  if (newNonce === undefined || newAccount === undefined) return undefined;
  if (newOrder === undefined || revokeCert === undefined) return undefined;
  const meta = fields(found["meta"]) ?? {};
  const termsOfServiceUrl = showable(meta["termsOfService"], MAX_URL);
  const identities = list(meta["caaIdentities"], MAX_IDENTITIES);
  const profiles = Object.entries(fields(meta["profiles"]) ?? {})
    .filter(([name]) => showable(name, MAX_PROFILE_NAME) !== undefined)
    .slice(0, MAX_PROFILES);
  const keyChange = httpsUrl(found["keyChange"]);
  const renewalInfo = httpsUrl(found["renewalInfo"]);
  return {
    endpoints: {
      newNonce,
      newAccount,
      newOrder,
      revokeCert,
      ...(keyChange !== undefined && { keyChange }),
      ...(renewalInfo !== undefined && { renewalInfo }),
    },
    directory: {
      caaIdentities: identities.flatMap((one) => hostIn(one) ?? []),
      ...(termsOfServiceUrl !== undefined && { termsOfServiceUrl }),
      renewalInfo: renewalInfo !== undefined,
      externalAccountRequired: meta["externalAccountRequired"] === true,
      profiles: Object.fromEntries(
        profiles.map(([name, about]) => [name, cleanText(text(about) ?? "")]),
      ),
    },
  };
}

/** Returns the name of a CA as it stands in CAA records (RFC 8659 §4.2), in lower case; undefined for any other value. */
function hostIn(value: unknown): string | undefined {
  const host = showable(value, MAX_IDENTITY)?.toLowerCase();
  return host !== undefined && /^[\w-]+(\.[\w-]+)*$/.test(host) ? host : undefined;
}

/** The most names that a public CA puts into one certificate. */
const MAX_NAMES = 100;
const MAX_CHALLENGES = 20;
/** base64url (RFC 8555 §8.1); the token becomes part of a URL and of a key in our store. */
const TOKEN = /^[\w-]{22,256}$/;

/** Reads an order (RFC 8555 §7.1.3); undefined when it is malformed. */
export function readOrder(found: Fields, url: string, retryAt?: number): Order | undefined {
  const finalizeUrl = httpsUrl(found["finalize"]);
  const names = list(found["identifiers"], MAX_NAMES).flatMap(nameOf);
  const authorizationUrls = list(found["authorizations"], MAX_NAMES).flatMap(
    (one) => httpsUrl(one) ?? [],
  );
  if (finalizeUrl === undefined || names.length === 0) return undefined;
  const order = { url, names, authorizationUrls, finalizeUrl, ...timesIn(found, retryAt) };
  switch (found["status"]) {
    case "pending":
    case "ready":
    case "processing":
      return { ...order, status: found["status"] };
    case "valid": {
      const certificateUrl = httpsUrl(found["certificate"]);
      if (certificateUrl === undefined) return undefined;
      return { ...order, status: "valid", certificateUrl };
    }
    case "invalid":
      return { ...order, status: "invalid", problem: problemIn(found) };
    default:
      return undefined;
  }
}

/** Reads an authorization (RFC 8555 §7.1.4); undefined when it is malformed. */
export function readAuthorization(
  found: Fields,
  url: string,
  keyAuthorization: (token: string) => string,
  retryAt?: number,
): Authorization | undefined {
  const [name] = nameOf(found["identifier"]);
  if (name === undefined) return undefined;
  const wildcard = found["wildcard"] === true;
  const authorization = { url, name, wildcard, ...timesIn(found, retryAt) };
  const offered = objects(found["challenges"], MAX_CHALLENGES);
  switch (found["status"]) {
    case "pending": {
      const challenges = offered.flatMap((one) => readChallenge(one, keyAuthorization) ?? []);
      return { ...authorization, status: "pending", challenges };
    }
    case "invalid": {
      const failed = offered.find((one) => fields(one["error"]) !== undefined);
      return { ...authorization, status: "invalid", problem: problemIn(failed ?? {}) };
    }
    case "valid":
    case "deactivated":
    case "expired":
    case "revoked":
      return { ...authorization, status: found["status"] };
    default:
      return undefined;
  }
}

/** Reads a challenge (RFC 8555 §8); undefined when it is malformed or of an unsupported type. */
export function readChallenge(
  found: Fields,
  keyAuthorization: (token: string) => string,
): Challenge | undefined {
  const type = typeIn(found["type"]);
  const url = httpsUrl(found["url"]);
  const token = text(found["token"]);
  const { status } = found;
  if (type === undefined || url === undefined || token === undefined) return undefined;
  if (!TOKEN.test(token)) return undefined;
  switch (status) {
    case "pending":
    case "processing":
    case "valid":
      return { type, url, token, keyAuthorization: keyAuthorization(token), status };
    case "invalid": {
      const challenge = { type, url, token, keyAuthorization: keyAuthorization(token) };
      return { ...challenge, status, problem: problemIn(found) };
    }
    default:
      return undefined;
  }
}

function typeIn(value: unknown): ChallengeType | undefined {
  return value === "http-01" || value === "tls-alpn-01" || value === "dns-01" ? value : undefined;
}

function nameOf(identifier: unknown): readonly string[] {
  const found = fields(identifier);
  const value = text(found?.["value"]);
  return found?.["type"] === "dns" && value !== undefined ? [value.toLowerCase()] : [];
}

function problemIn(found: Fields) {
  return validationProblem(readProblem(fields(found["error"]) ?? {}));
}

function timesIn(
  found: Fields,
  retryAt: number | undefined,
): { readonly expiresAt?: number; readonly retryAt?: number } {
  const expiresAt = readTime(text(found["expires"]) ?? "");
  return {
    ...(expiresAt !== undefined && { expiresAt }),
    ...(retryAt !== undefined && { retryAt }),
  };
}

/**
 * Reads renewal information (RFC 9773 §4.2); undefined when it lacks a window, or the window ends before it starts.
 */
export function readRenewalInfo(found: Fields): RenewalInfo | undefined {
  const window = fields(found["suggestedWindow"]);
  const start = readTime(text(window?.["start"]) ?? "");
  const end = readTime(text(window?.["end"]) ?? "");
  if (start === undefined || end === undefined || end <= start) return undefined;
  const explanationUrl = httpsUrl(found["explanationURL"]);
  return { window: { start, end }, ...(explanationUrl === undefined ? {} : { explanationUrl }) };
}
