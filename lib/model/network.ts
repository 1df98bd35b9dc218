import { parseAddress } from "./client-address.ts";
import { TRIMMED, trimText } from "./text.ts";

/** The longest normal form: an IPv6 address of 39 characters, a slash and three digits. */
export const MAX_NETWORK_LENGTH = 43;

const WRITTEN = /^([\da-f:.]+)(?:\/(0|[1-9]\d{0,2}))?$/i;

/**
 * Normalizes a network in CIDR notation (RFC 4632 §3.1) and clears its host bits: `10.1.2.3/8` becomes `10.0.0.0/8`.
 * A single address becomes a /32 or /128. Undefined for any other text.
 */
export function normalNetwork(text: string): string | undefined {
  const [, address = "", length] = WRITTEN.exec(trimText(text)) ?? [];
  const bytes = parseAddress(address);
  if (bytes === undefined) return undefined;
  const most = bytes.length * 8;
  const bits = length === undefined ? most : Number(length);
  if (bits > most) return undefined;
  const kept = bytes.map((byte, index) => byte & maskOf(bits - index * 8));
  return `${written(kept)}/${bits}`;
}

const OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const V4 = `${OCTET}(?:\\.${OCTET}){3}`;
const GROUP = "[0-9A-Fa-f]{1,4}";
const LAST = `(?:${GROUP}:${GROUP}|${V4})`;
/** The forms of RFC 3986 §3.2.2, by the number of groups after `::`. */
const V6 = [
  `(?:${GROUP}:){6}${LAST}`,
  `::(?:${GROUP}:){5}${LAST}`,
  `(?:${GROUP})?::(?:${GROUP}:){4}${LAST}`,
  ...[3, 2, 1, 0].map(
    (after) => `(?:(?:${GROUP}:){0,${4 - after}}${GROUP})?::(?:${GROUP}:){${after}}${LAST}`,
  ),
  `(?:(?:${GROUP}:){0,5}${GROUP})?::${GROUP}`,
  `(?:(?:${GROUP}:){0,6}${GROUP})?::`,
].join("|");
/** Matches the texts that `normalNetwork` accepts, for a JSON Schema. */
export const NETWORK_PATTERN: string = `^${TRIMMED}(?:${V4}(?:/(?:3[0-2]|[12]?[0-9]))?|(?:${V6})(?:/(?:12[0-8]|1[01][0-9]|[1-9]?[0-9]))?)${TRIMMED}$`;

/** The most networks per key. */
export const MAX_NETWORKS = 50;

/** Returns why a list of networks is refused; undefined if it is valid. Also checks the types, for JavaScript callers. */
export function faultOfNetworks(texts: readonly string[]): string | undefined {
  if (!Array.isArray(texts) || texts.length === 0 || texts.length > MAX_NETWORKS) {
    return `A key may be bound to 1 to ${MAX_NETWORKS} networks.`;
  }
  const wrong = texts.find((text) => typeof text !== "string" || normalNetwork(text) === undefined);
  return wrong === undefined
    ? undefined
    : "The allowed addresses must be networks such as 203.0.113.0/24 or 2001:db8::/48, or single addresses.";
}

/** Returns the networks in normal form, without duplicates and invalid ones. */
export function normalNetworks(texts: readonly string[]): readonly string[] {
  const networks = texts.map(normalNetwork).filter((network) => network !== undefined);
  return [...new Set(networks)];
}

/** Returns a byte's mask for the remaining prefix bits, which may be negative or more than eight. */
function maskOf(bits: number): number {
  if (bits <= 0) return 0;
  return bits >= 8 ? 0xff : (0xff << (8 - bits)) & 0xff;
}

function written(bytes: Uint8Array): string {
  return bytes.length === 4 ? bytes.join(".") : writtenIpv6(bytes);
}

/** Shortens the first of the longest runs of zero groups (RFC 5952 §4.2). */
function writtenIpv6(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  );
  const text = groups.join(":");
  const rows = text.match(/\b0(?::0)+\b/g) ?? [];
  const longest = rows.reduce((best, row) => (row.length > best.length ? row : best), "");
  if (longest === "") return text;
  const at = text.search(new RegExp(`\\b${longest}\\b`));
  return `${text.slice(0, at).replace(/:$/, "")}::${text.slice(at + longest.length).replace(/^:/, "")}`;
}
