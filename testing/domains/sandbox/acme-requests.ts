import { createHash, createPublicKey, verify, type KeyObject } from "node:crypto";

/** A request whose signature is good. */
export interface SignedRequest {
  /** The payload; undefined for a POST-as-GET (RFC 8555 §6.3). */
  readonly payload: Readonly<Record<string, unknown>> | undefined;
  readonly key: AccountKey;
  /** The account that the request names; undefined if it carries its key. */
  readonly accountUrl: string | undefined;
}

/** The public key of an account. */
export interface AccountKey {
  readonly key: KeyObject;
  /** RFC 7638. */
  readonly thumbprint: string;
}

/** Why a request is refused, as a problem of RFC 8555 §6.7. */
export interface AcmeProblem {
  readonly type: string;
  readonly detail: string;
  readonly status: number;
}

/** A refusal of the CA. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly problem: AcmeProblem;

  constructor(type: string, detail: string, status = 400) {
    super(detail);
    this.problem = { type: `urn:ietf:params:acme:error:${type}`, detail, status };
  }
}

/** What the CA knows when it checks a request. */
export interface Known {
  /** Uses up a nonce; false if it was never given or is used. */
  readonly takeNonce: (nonce: string) => boolean;
  readonly keyOf: (accountUrl: string) => AccountKey | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Checks a signed request to `url` (RFC 8555 §6.2): ES256 alone. Throws a `Refusal`. */
export function readSigned(body: string, url: string, { takeNonce, keyOf }: Known): SignedRequest {
  const outer = objectIn(body);
  const [head, payload, signature] = [
    textOf(outer["protected"]),
    textOf(outer["payload"]),
    textOf(outer["signature"]),
  ];
  const header = objectIn(decoded(head));
  if (header["alg"] !== "ES256") {
    throw new Refusal("badSignatureAlgorithm", "Only ES256 is supported.");
  }
  const kid = header["kid"];
  const accountUrl = kid === undefined ? undefined : textOf(kid);
  const key = accountUrl === undefined ? keyIn(header["jwk"]) : keyOf(accountUrl);
  if (key === undefined) throw new Refusal("accountDoesNotExist", "There is no such account.");
  const signed = verify(
    "sha256",
    Buffer.from(`${head}.${payload}`),
    { key: key.key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!signed) throw new Refusal("malformed", "The signature is wrong.", 403);
  if (header["url"] !== url) throw new Refusal("unauthorized", "The URL is not that signed.", 403);
  if (!takeNonce(textOf(header["nonce"]))) throw new Refusal("badNonce", "The nonce is not valid.");
  return { key, accountUrl, payload: payload === "" ? undefined : objectIn(decoded(payload)) };
}

function keyIn(jwk: unknown): AccountKey {
  const { kty, crv, x, y } = fieldsOf(jwk);
  if (kty !== "EC" || crv !== "P-256") {
    throw new Refusal("badPublicKey", "Only keys of the curve P-256 are supported.");
  }
  const point = { crv, kty, x: textOf(x), y: textOf(y) };
  try {
    return {
      key: createPublicKey({ key: point, format: "jwk" }),
      // The members are in the order that a thumbprint requires (RFC 7638 §3).
      thumbprint: createHash("sha256").update(JSON.stringify(point)).digest("base64url"),
    };
  } catch {
    throw new Refusal("badPublicKey", "The key is not on the curve.");
  }
}

function objectIn(json: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Refusal("malformed", "The request is not JSON.");
  }
  return fieldsOf(value);
}

/** Returns the members of an object. Throws a `Refusal` for any other value. */
export function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null) {
    throw new Refusal("malformed", "The request is not a JSON object.");
  }
  return { ...value };
}

/** Returns a text. Throws a `Refusal` for any other value. */
export function textOf(value: unknown): string {
  if (typeof value !== "string") throw new Refusal("malformed", "A member is missing.");
  return value;
}

function decoded(base64url: string): string {
  return Buffer.from(base64url, "base64url").toString();
}
