/** A network address and the length of its prefix, in bits. */
export type AddressBlock = readonly [network: string, bits: number];

/** Returns true if `address`, of 4 or 16 bytes, lies in the block. IPv4 and IPv6 never match each other. */
export function isIn(address: Uint8Array, [network, bits]: AddressBlock): boolean {
  const start = parseAddress(network);
  if (start?.length !== address.length) return false;
  for (let index = 0, left = bits; left > 0; index++, left -= 8) {
    const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff;
    if (((address[index] ?? 0) & mask) !== ((start[index] ?? 0) & mask)) return false;
  }
  return true;
}

/** Returns true if the address lies in one of the networks, given in normal form; false if the address is unknown. */
export function isInNetworks(address: string | undefined, networks: readonly string[]): boolean {
  const bytes = address === undefined ? undefined : parseAddress(address);
  if (bytes === undefined) return false;
  return networks.some((network) => {
    const [start = "", bits] = network.split("/");
    return isIn(bytes, [start, Number(bits)]);
  });
}

/**
 * Parses an IP address to 4 or 16 bytes; undefined for any other text. An IPv4-mapped IPv6 address
 * (`::ffff:192.0.2.1`, RFC 4291 §2.5.5.2) becomes IPv4; the zone (`%eth0`) is dropped.
 */
export function parseAddress(text: string): Uint8Array | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (!text.includes(":")) return parseIpv4(text);
  const zone = text.indexOf("%");
  const bytes = parseIpv6(zone === -1 ? text : text.slice(0, zone));
  return bytes !== undefined && isMapped(bytes) ? bytes.subarray(12) : bytes;
}

/**
 * Returns the block that counts as one client: an IPv4 address, or the /64 of an IPv6 address, which is what one
 * subscriber is assigned. All spellings of an address give the same block; undefined for any other text.
 */
export function addressBlock(text: string): string | undefined {
  const bytes = parseAddress(text);
  if (bytes === undefined) return undefined;
  if (bytes.length === 4) return bytes.join(".");
  return `${groupsOf(bytes, 4).join(":")}::/64`;
}

/** Returns the first groups of an IPv6 address. */
function groupsOf(bytes: Uint8Array, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  );
}

/** Returns roughly where an address is, for people: `203.0.113.…` or `2001:db8:1:…`; undefined for any other text. */
export function addressNetwork(text: string): string | undefined {
  const bytes = parseAddress(text);
  if (bytes === undefined) return undefined;
  if (bytes.length === 4) return `${bytes.subarray(0, 3).join(".")}.…`;
  return `${groupsOf(bytes, 3).join(":")}:…`;
}

/** Returns the block that counts as one client. All clients without a valid address share `unknown`. */
export function clientBlock(address = ""): string {
  return addressBlock(address) ?? "unknown";
}

/** The longest address has 45 characters; the rest is room for a zone, which is the name of a network interface. */
const MAX_LENGTH = 100;

const GROUP = /^[\da-f]{1,4}$/i;
/** Refuses leading zeros, which some parsers read as octal. */
const OCTET = /^(?:0|[1-9]\d{0,2})$/;

function parseIpv4(text: string): Uint8Array | undefined {
  const octets = text.split(".");
  if (octets.length !== 4 || !octets.every((octet) => OCTET.test(octet))) return undefined;
  const values = octets.map(Number);
  return values.every((value) => value <= 255) ? Uint8Array.from(values) : undefined;
}

function parseIpv6(text: string): Uint8Array | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, index) =>
    parseGroups(half, { mayEndInIpv4: index === halves.length - 1 }),
  );
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 16 ? Uint8Array.from(head) : undefined;
  // "::" stands for at least one group.
  if (tail === undefined || head.length + tail.length > 14) return undefined;
  const bytes = new Uint8Array(16);
  bytes.set(head);
  bytes.set(tail, 16 - tail.length);
  return bytes;
}

/** Parses colon-separated groups to bytes; the empty text next to "::" gives none. */
function parseGroups(
  text: string,
  { mayEndInIpv4 }: { readonly mayEndInIpv4: boolean },
): readonly number[] | undefined {
  if (text === "") return [];
  const groups = text.split(":");
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    if (GROUP.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
      continue;
    }
    const last = mayEndInIpv4 && index === groups.length - 1;
    const embedded = last ? parseIpv4(group) : undefined;
    if (embedded === undefined) return undefined;
    bytes.push(...embedded);
  }
  return bytes;
}

function isMapped(bytes: Uint8Array): boolean {
  return (
    bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff
  );
}
