import { crc32 } from "../base/digest.ts";
import { base62 } from "../base/id.ts";
import { done, refused, type Result } from "../base/result.ts";

/** The parts of a bearer credential: `pet_<kind>_<id>_<secret><checksum>`. */
export interface Credential {
  /** `live` or `test` (API keys), `manage` (management tokens), `session`, `setup` or `reset` (links). */
  readonly kind: string;
  /** 10 characters of base 62; safe to show and to log. */
  readonly id: string;
  readonly secret: string;
}

const FORM = /^pet_([a-z]{1,10})_([0-9A-Za-z]{10})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** Parses a credential and verifies its checksum, without I/O; undefined for any other text. */
export function parseCredential(text: string): Credential | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, kind = "", id = "", secret = "", checksum] = match;
  return base62(crc32(text.slice(0, -6))) === checksum ? { kind, id, secret } : undefined;
}

/** Longer than any credential. */
const MAX_LENGTH = 100;

/** The scheme is case-insensitive, and one or more spaces follow it (RFC 6750 §2.1, RFC 9110 §11.1, §11.4). */
const BEARER = /^bearer(?: +|$)/i;

/** Words that programs send in the place of a missing value. */
const UNSET = /^(?:undefined|null|none|nil|nan|false|true|\[object object\])$/i;

/** Names of variables that were not replaced: `$KEY`, `${KEY}`, `%KEY%`, `{{key}}`, `<key>`. */
const PLACEHOLDER = /^[$%{<]/;

/** Returns the token of an `Authorization` header, or why it holds none: a clause with the verb first, without the token. */
export function bearerToken(header: string): Result<string, string> {
  if (header.length > MAX_LENGTH) return refused("is longer than any credential");
  const scheme = BEARER.exec(header)?.[0];
  if (scheme === undefined) {
    return refused(
      header.startsWith("pet_")
        ? "lacks the word Bearer before the token"
        : "must begin with Bearer",
    );
  }
  const token = header.slice(scheme.length);
  if (token === "") return refused("has no token after Bearer, as if a variable were empty");
  if (BEARER.test(token)) return refused("contains the word Bearer twice");
  if (UNSET.test(token))
    return refused(`contains "${token}" instead of a token, as if a variable were unset`);
  if (PLACEHOLDER.test(token)) {
    return refused("contains the name of a variable instead of a token: it was not replaced");
  }
  return /^["']/.test(token) ? refused("must contain the token without quotes") : done(token);
}
