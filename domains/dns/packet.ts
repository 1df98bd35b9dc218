import type { Packet } from "dns2";

import { remembered } from "../../lib/base/cache.ts";
import type { RecordType } from "../model/answer.ts";
import { viewOf } from "./wire.ts";

type Codec = typeof Packet;
let codec: Codec | undefined;

/**
 * Loads the codec, once. To be awaited before a query is encoded or a message decoded. Its package also loads clients and
 * servers for HTTP, which takes 10 ms and 5 MB or more, so a service without domains loads none of it.
 */
export async function loadCodec(): Promise<void> {
  codec ??= (await import("dns2")).Packet;
}

function loaded(): Codec {
  if (codec === undefined) throw new Error("The codec is not loaded.");
  return codec;
}

/** Record type numbers (IANA "DNS Parameters"); the codec lacks DS, DNSKEY, DNAME and HTTPS. */
export const TYPE_NUMBERS: Readonly<Record<RecordType, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  DNAME: 39,
  DS: 43,
  DNSKEY: 48,
  HTTPS: 65,
  CAA: 257,
};

/** A DNS question. */
export interface Question {
  /** A-labels; underscores are allowed. */
  readonly name: string;
  readonly type: RecordType;
}

export interface QueryFlags {
  /** 16 unpredictable bits. */
  readonly id: number;
  /** RD: set for resolvers, not for authoritative servers. */
  readonly recursionDesired: boolean;
  /** CD: asks a resolver not to validate signatures. */
  readonly checkingDisabled: boolean;
  /** Announces EDNS with a UDP payload of 1,232 octets and DO (RFC 6891); very old servers refuse it. */
  readonly edns: boolean;
}

/** Fits into one packet on every network. */
const UDP_PAYLOAD = 1_232;
export const CLASS_INTERNET = 1;

/** Letters, digits, hyphens and underscores; the codec would encode other characters wrongly. */
const NAME = /^(?=.{1,253}$)([\w-]{1,63}\.)*[\w-]{1,63}$/;

/** Whether the name can be queried; names from other zones' records may contain anything. */
export function canBeQueried(name: string): boolean {
  return NAME.test(name);
}

/** Encodes a query. The letter case of the name is preserved. */
export function encodeQuery({ name, type }: Question, flags: QueryFlags): Uint8Array {
  if (!canBeQueried(name)) throw new TypeError(`Not a name that can be asked for: ${name}`);
  const { recursionDesired, checkingDisabled, edns } = flags;
  const bits = [recursionDesired, checkingDisabled, edns].map(Number).join("");
  const message = Uint8Array.from(draftOf(bits + name.toLowerCase()));
  const view = viewOf(message);
  view.setUint16(0, flags.id);
  // Each label follows its length, where the text has a dot.
  for (let at = 0; at < name.length; at++) {
    if (name[at] !== ".") message[QUESTION_AT + 1 + at] = name.charCodeAt(at);
  }
  view.setUint16(QUESTION_AT + name.length + 2, TYPE_NUMBERS[type]);
  return message;
}

const QUESTION_AT = 12;

/**
 * Returns a query for the name behind the flags, with id 0 and type 0. Kept for a while, as the codec needs longer than
 * the rest of a question, and a check asks several servers for several types of a name.
 */
const draftOf = remembered((text: string): Uint8Array => {
  const [rd, cd, edns] = text;
  const Packet = loaded();
  const packet = new Packet();
  // AD in a query asks the resolver to report whether it validated (RFC 6840 §5.7).
  const header = { id: 0, rd: rd === "1" ? 1 : 0, ad: 1, cd: cd === "1" ? 1 : 0 } as const;
  packet.header = new Packet.Header(header);
  packet.questions.push(new Packet.Question(text.slice(3), 0, CLASS_INTERNET));
  if (edns === "1") {
    const options = { doFlag: true, udpPayloadSize: UDP_PAYLOAD };
    packet.additionals.push(Packet.Resource.EDNS([], options));
  }
  return packet.toBuffer();
});

/** The header of a message. */
export interface Header {
  readonly id: number;
  readonly isResponse: boolean;
  readonly opcode: number;
  readonly authoritative: boolean;
  readonly truncated: boolean;
  readonly authenticated: boolean;
  readonly rcode: number;
  /** Number of questions, answers, authority records and additional records. */
  readonly counts: readonly [number, number, number, number];
}

export const HEADER_OCTETS = 12;

/** Decodes the header of a message of at least `HEADER_OCTETS`. */
export function decodeHeader(message: Uint8Array): Header {
  const view = viewOf(message);
  const flags = view.getUint16(2);
  return {
    id: view.getUint16(0),
    isResponse: (flags & 0x8000) !== 0,
    opcode: (flags >> 11) & 0xf,
    authoritative: (flags & 0x0400) !== 0,
    truncated: (flags & 0x0200) !== 0,
    authenticated: (flags & 0x0020) !== 0,
    rcode: flags & 0xf,
    counts: [view.getUint16(4), view.getUint16(6), view.getUint16(8), view.getUint16(10)],
  };
}

/** Decodes the address in an AAAA record; undefined if its length is wrong. */
export function decodeAddress(message: Uint8Array, at: number): string | undefined {
  return decodeRecord(message, at)?.address;
}

/** Decodes the extended RCODE of an OPT record and its first extended DNS error (RFC 8914). */
export function decodeOptions(
  message: Uint8Array,
  at: number,
): { readonly extendedRcode: number; readonly error?: ExtendedError } | undefined {
  const record = decodeRecord(message, at);
  if (record === undefined) return undefined;
  const error = record.rdata?.find(isExtendedError);
  return { extendedRcode: record.extendedRcode ?? 0, ...(error !== undefined && { error }) };
}

export interface ExtendedError {
  readonly infoCode: number;
  readonly extraText: string;
}

type DecodedRecord = InstanceType<Codec["Resource"]>;
type Option = NonNullable<DecodedRecord["rdata"]>[number];

/**
 * Decodes the record at `at`. Its owner name must have passed `readName`, as the codec follows compression pointers
 * without limit.
 */
function decodeRecord(message: Uint8Array, at: number): DecodedRecord | undefined {
  const Packet = loaded();
  try {
    return Packet.Resource.parse(new Packet.Reader(asBuffer(message), at * 8));
  } catch {
    // The codec throws on malformed data.
    return undefined;
  }
}

function isExtendedError(option: Option): option is Option & ExtendedError {
  return "infoCode" in option && "extraText" in option;
}

function asBuffer(message: Uint8Array): Buffer {
  return Buffer.from(message.buffer, message.byteOffset, message.byteLength);
}
