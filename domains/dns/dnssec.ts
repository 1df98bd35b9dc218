import { createHash, createPublicKey, verify } from "node:crypto";

import { parseAddress } from "../../lib/model/client-address.ts";
import type { CaaRecord } from "../model/answer.ts";
import { TYPE_NUMBERS } from "./packet.ts";
import { readName, viewOf } from "./wire.ts";

/** Records of one name and type, with the signatures that came with them. */
export interface SignedSet {
  /** The name in lower case. */
  readonly name: string;
  readonly records:
    | { readonly type: "A" | "AAAA" | "CNAME" | "DNSKEY"; readonly data: readonly string[] }
    | { readonly type: "CAA"; readonly data: readonly CaaRecord[] };
  /** Record data of type RRSIG by owner. */
  readonly signatures: readonly { readonly name: string; readonly data: Uint8Array }[];
}

/** `unknown`: only algorithms are used that this module lacks. */
export type SetState = "valid" | "invalid" | "unknown";

/** A public key of a zone (RFC 4034 §2). */
export interface ZoneKey {
  readonly algorithm: number;
  readonly tag: number;
  /** The record data. */
  readonly data: Uint8Array;
}

/** Clocks of name servers and of this machine may differ by so much. */
const SKEW_SECONDS = 3_600;
/** Most signatures that are verified per set, and most keys per zone: whoever controls the zone chooses their number. */
const MAX_SIGNATURES = 8;
const MAX_KEYS = 16;
/** Larger RSA keys than any zone's would take long to verify with. In octets. */
const MAX_MODULUS = 1_024;
const MAX_EXPONENT = 8;

/** How many signatures may still be verified; many keys with the same tag would otherwise multiply the work. */
export interface Budget {
  left: number;
}

/** The hash of each supported algorithm (RFC 8624 §3.1). Ed25519 has its own. */
const HASHES: ReadonlyMap<number, string | undefined> = new Map([
  [8, "sha256"],
  [10, "sha512"],
  [13, "sha256"],
  [14, "sha384"],
  [15, undefined],
]);
const CURVES: ReadonlyMap<number, readonly [name: string, octets: number]> = new Map([
  [13, ["P-256", 32]],
  [14, ["P-384", 48]],
]);
/** The hash of each digest type of DS records (RFC 8624 §3.3). */
const DIGESTS: ReadonlyMap<number, string> = new Map([
  [2, "sha256"],
  [4, "sha384"],
]);

/**
 * Returns the keys of a zone if one of them is that of a DS record and has signed them all. `ds` are the parent's DS
 * records in hexadecimal. `now` is in milliseconds.
 */
export function trustedKeys(
  set: SignedSet,
  ds: readonly string[],
  { now, budget }: { readonly now: number; readonly budget: Budget },
): { readonly state: SetState; readonly keys: readonly ZoneKey[] } {
  const { name, records } = set;
  const given = records.type === "DNSKEY" ? records.data.slice(0, MAX_KEYS).map(keyOf) : [];
  const signers = ds.map((one) => signerOf(fromHexadecimal(one)));
  const usable = signers.filter(
    ({ algorithm, digestType }) => HASHES.has(algorithm) && DIGESTS.has(digestType),
  );
  if (usable.length === 0) return { state: "unknown", keys: [] };
  const entries = given.filter((key) =>
    usable.some((signer) => {
      const hash = DIGESTS.get(signer.digestType) ?? "";
      const digest = createHash(hash).update(wireName(name)).update(key.data).digest();
      return (
        signer.tag === key.tag && signer.algorithm === key.algorithm && digest.equals(signer.digest)
      );
    }),
  );
  if (entries.length === 0) return { state: "invalid", keys: [] };
  const state = stateOf(set, { zone: name, keys: entries, now, budget });
  return { state, keys: state === "valid" ? given : [] };
}

/** Returns whether a set is signed by one of the zone's keys, at present. */
export function stateOf(
  { name, records, signatures }: SignedSet,
  { zone, keys, now, budget }: Validation,
): SetState {
  const type = TYPE_NUMBERS[records.type];
  const own = signatures
    .filter((one) => one.name === name)
    .flatMap(({ data }) => readSignature(data) ?? [])
    .filter((one) => one.type === type && one.signer === zone)
    .slice(0, MAX_SIGNATURES);
  const supported = own.filter(({ algorithm }) => HASHES.has(algorithm));
  if (own.length > 0 && supported.length === 0) return "unknown";
  const datas = canonicalData(records);
  if (datas === undefined) return "unknown";
  for (const signature of supported) {
    if (!isCurrent(signature, now)) continue;
    const signed = signedOctets(name, type, datas, signature);
    if (signed === undefined) continue;
    const { tag, algorithm } = signature;
    for (const key of keys.filter((one) => one.tag === tag && one.algorithm === algorithm)) {
      if (budget.left-- <= 0) return "unknown";
      if (isSignedBy(key, signed, signature.signature)) return "valid";
    }
  }
  return "invalid";
}

interface Validation {
  readonly zone: string;
  readonly keys: readonly ZoneKey[];
  /** The present time in milliseconds. */
  readonly now: number;
  readonly budget: Budget;
}

/** Compares as serial numbers, which wrap around (RFC 4034 §3.1.5). */
function isCurrent({ inception, expiration }: Signature, now: number): boolean {
  const seconds = Math.floor(now / 1_000);
  const isStarted = ((seconds + SKEW_SECONDS - inception) | 0) >= 0;
  return isStarted && ((expiration - (seconds - SKEW_SECONDS)) | 0) >= 0;
}

interface Signature {
  readonly type: number;
  readonly algorithm: number;
  readonly labels: number;
  readonly ttl: number;
  readonly expiration: number;
  readonly inception: number;
  readonly tag: number;
  /** The name of the signer in lower case. */
  readonly signer: string;
  /** The record data before the signature, with the signer's name in lower case. */
  readonly head: Uint8Array;
  readonly signature: Uint8Array;
}

/** Reads the record data of an RRSIG (RFC 4034 §3.1), whose name is never compressed. */
function readSignature(data: Uint8Array): Signature | undefined {
  const signer = data.length > SIGNER_AT ? readName(data, SIGNER_AT) : undefined;
  if (signer === undefined) return undefined;
  const view = viewOf(data);
  const name = signer.text.toLowerCase();
  return {
    type: view.getUint16(0),
    algorithm: view.getUint8(2),
    labels: view.getUint8(3),
    ttl: view.getUint32(4),
    expiration: view.getUint32(8),
    inception: view.getUint32(12),
    tag: view.getUint16(16),
    signer: name,
    head: Buffer.concat([data.subarray(0, SIGNER_AT), wireName(name)]),
    signature: data.subarray(signer.end),
  };
}

const SIGNER_AT = 18;

/** Returns what was signed (RFC 4034 §3.1.8.1); undefined if the name has fewer labels than the signature says. */
function signedOctets(
  name: string,
  type: number,
  datas: readonly Uint8Array[],
  { head, labels, ttl }: Signature,
): Uint8Array | undefined {
  const parts = name === "" ? [] : name.split(".");
  if (labels > parts.length) return undefined;
  // A wildcard's records have the name that was asked for, and are signed with the wildcard's (RFC 4035 §5.3.2).
  const rest = parts.slice(parts.length - labels);
  const owner = wireName(labels === parts.length ? name : ["*", ...rest].join("."));
  const records = datas.map((data) => {
    const fixed = new Uint8Array(10);
    const view = viewOf(fixed);
    view.setUint16(0, type);
    view.setUint16(2, 1);
    view.setUint32(4, ttl);
    view.setUint16(8, data.length);
    return Buffer.concat([owner, fixed, data]);
  });
  return Buffer.concat([head, ...records]);
}

/** Returns the record data in canonical form and order, without duplicates (RFC 4034 §6.2, §6.3). */
function canonicalData(records: SignedSet["records"]): readonly Uint8Array[] | undefined {
  const datas =
    records.type === "CAA"
      ? records.data.map(caaData)
      : records.data.map((data) => {
          switch (records.type) {
            case "DNSKEY":
              return fromHexadecimal(data);
            case "CNAME":
              return wireName(data);
            case "A":
            case "AAAA":
              return addressData(data);
            default:
              return records satisfies never;
          }
        });
  const known = datas.filter((one) => one !== undefined);
  if (known.length < datas.length) return undefined;
  const sorted = known.map((one) => Buffer.from(one)).toSorted((one, other) => one.compare(other));
  return sorted.filter((one, index) => index === 0 || !one.equals(sorted[index - 1] ?? one));
}

function caaData({ flags, tag, value }: CaaRecord): Uint8Array {
  const name = octetsOf(tag);
  return Buffer.concat([Uint8Array.of(flags, name.length), name, octetsOf(value)]);
}

function addressData(text: string): Uint8Array | undefined {
  const parts = parseAddress(text);
  // An IPv4-mapped IPv6 address would need its prefix; no host has one in the DNS.
  return parts?.length === (text.includes(":") ? 16 : 4) ? parts : undefined;
}

/** Encodes a name that `readName` has decoded, in lower case and uncompressed. */
function wireName(name: string): Uint8Array {
  const labels = name === "" ? [] : name.split(".").map((label) => octetsOf(label.toLowerCase()));
  return Buffer.concat([
    ...labels.flatMap((label) => [Uint8Array.of(label.length), label]),
    Uint8Array.of(0),
  ]);
}

/** Decodes `printable`. */
function octetsOf(text: string): Uint8Array {
  const plain = text.replaceAll(/\\(\d{3})/g, (_, code: string) =>
    String.fromCharCode(Number(code)),
  );
  return Buffer.from(plain, "latin1");
}

function fromHexadecimal(text: string): Uint8Array {
  return Buffer.from(text, "hex");
}

function signerOf(data: Uint8Array) {
  const [high = 0, low = 0, algorithm = 0, digestType = 0] = data;
  return { tag: high * 0x100 + low, algorithm, digestType, digest: data.subarray(4) };
}

function keyOf(text: string): ZoneKey {
  const data = fromHexadecimal(text);
  let sum = 0;
  for (const [index, octet] of data.entries()) sum += index % 2 === 0 ? octet * 0x100 : octet;
  // RFC 4034, appendix B.
  return { algorithm: data[3] ?? 0, tag: (sum + Math.floor(sum / 0x1_0000)) & 0xffff, data };
}

function isSignedBy(
  { algorithm, data }: ZoneKey,
  signed: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    const key = createPublicKey({ key: jwkOf(algorithm, data.subarray(4)), format: "jwk" });
    const hash = HASHES.get(algorithm);
    return verify(hash, signed, { key, dsaEncoding: "ieee-p1363" }, signature);
  } catch {
    // The runtime throws on a key that no algorithm accepts.
    return false;
  }
}

/** Converts a public key (RFC 3110 §2, RFC 6605 §4, RFC 8080 §3). */
function jwkOf(algorithm: number, key: Uint8Array) {
  const text = (octets: Uint8Array): string => Buffer.from(octets).toString("base64url");
  const curve = CURVES.get(algorithm);
  if (curve !== undefined) {
    const [crv, size] = curve;
    return { kty: "EC", crv, x: text(key.subarray(0, size)), y: text(key.subarray(size)) };
  }
  if (algorithm === 15) return { kty: "OKP", crv: "Ed25519", x: text(key) };
  const [first = 0] = key;
  const at = first === 0 ? 3 : 1;
  const length = first === 0 ? viewOf(key).getUint16(1) : first;
  if (length > MAX_EXPONENT || key.length - at - length > MAX_MODULUS) {
    throw new RangeError("The key is too large.");
  }
  return { kty: "RSA", e: text(key.subarray(at, at + length)), n: text(key.subarray(at + length)) };
}
