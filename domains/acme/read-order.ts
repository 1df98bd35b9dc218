import { readTime } from "../../lib/base/clock.ts";
import { validationProblem } from "../model/acme-problem.ts";
import type { Authorization, Challenge, ChallengeType, Order } from "../ports/authority.ts";
import { readProblem } from "./problem-document.ts";
import { fields, httpsUrl, list, objects, text, type Fields } from "./read-json.ts";

/** No CA puts more names into one certificate. */
const MAX_NAMES = 100;
const MAX_CHALLENGES = 20;
/** base64url (RFC 8555 §8.1); it becomes part of an address and of a key in our store. */
const TOKEN = /^[\w-]{22,256}$/;

/** An order (RFC 8555 §7.1.3); undefined when it is not one. */
export function readOrder(found: Fields, url: string, retryAt?: number): Order | undefined {
  const finalizeUrl = httpsUrl(found["finalize"]);
  const names = list(found["identifiers"], MAX_NAMES).flatMap(nameOf);
  const authorizationUrls = list(found["authorizations"], MAX_NAMES).flatMap(
    (one) => httpsUrl(one) ?? [],
  );
  if (finalizeUrl === undefined || names.length === 0) return undefined;
  const order = { url, names, authorizationUrls, finalizeUrl, ...times(found, retryAt) };
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

/** An authorization (RFC 8555 §7.1.4); undefined when it is not one. */
export function readAuthorization(
  found: Fields,
  url: string,
  keyAuthorization: (token: string) => string,
  retryAt?: number,
): Authorization | undefined {
  const [name] = nameOf(found["identifier"]);
  if (name === undefined) return undefined;
  const wildcard = found["wildcard"] === true;
  const authorization = { url, name, wildcard, ...times(found, retryAt) };
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

/** A challenge (RFC 8555 §8); undefined when it is not one, or of a type that we cannot answer. */
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
    case "invalid":
      return { type, url, token, keyAuthorization: keyAuthorization(token), status };
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

function times(
  found: Fields,
  retryAt: number | undefined,
): { readonly expiresAt?: number; readonly retryAt?: number } {
  const expiresAt = readTime(text(found["expires"]) ?? "");
  return {
    ...(expiresAt !== undefined && { expiresAt }),
    ...(retryAt !== undefined && { retryAt }),
  };
}
