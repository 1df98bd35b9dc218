import { Packet } from "dns2";

import type { RecordType } from "../model/answer.ts";

/** Numbers of the record types (IANA "DNS Parameters"); the codec knows neither DS, DNAME nor HTTPS. */
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
  HTTPS: 65,
  CAA: 257,
};

/** What is asked. */
export interface Question {
  /** In A-labels, with underscores where a record's convention has them. */
  readonly name: string;
  readonly type: RecordType;
}

export interface QueryFlags {
  /** Sixteen bits that nobody can guess. */
  readonly id: number;
  /** Asks a resolver to find out (RD); authoritative servers are asked without. */
  readonly recursionDesired: boolean;
  /** Asks a resolver not to check signatures (CD). */
  readonly checkingDisabled: boolean;
  /** Takes answers of 1,232 octets and signatures (RFC 6891, DO); servers of long ago refuse that. */
  readonly edns: boolean;
}

/** As much as passes every network in one piece. */
const UDP_PAYLOAD = 1_232;
export const CLASS_INTERNET = 1;

/** Letters, digits, hyphens and underscores: the codec would send other letters as other bytes. */
const NAME = /^(?=.{1,253}$)([\w-]{1,63}\.)*[\w-]{1,63}$/;

/** Whether the name can be asked for: those that others put into their records may be anything. */
export function canBeAsked(name: string): boolean {
  return NAME.test(name);
}

/** The octets of a query. The name is sent as it is written, upper and lower case kept. */
export function encodeQuery({ name, type }: Question, flags: QueryFlags): Uint8Array {
  if (!canBeAsked(name)) throw new TypeError(`Not a name that can be asked for: ${name}`);
  const packet = new Packet();
  const header = {
    id: flags.id,
    rd: flags.recursionDesired ? 1 : 0,
    // Asking with AD has the resolver say whether it checked (RFC 6840 §5.7).
    ad: 1,
    cd: flags.checkingDisabled ? 1 : 0,
  } as const;
  packet.header = new Packet.Header(header);
  packet.questions.push(new Packet.Question(name, TYPE_NUMBERS[type], CLASS_INTERNET));
  if (flags.edns) {
    const options = { doFlag: true, udpPayloadSize: UDP_PAYLOAD };
    packet.additionals.push(Packet.Resource.EDNS([], options));
  }
  return packet.toBuffer();
}

/** The head of a message and its question, as far as the codec reads them. */
export interface Header {
  readonly id: number;
  readonly isResponse: boolean;
  readonly opcode: number;
  readonly authoritative: boolean;
  readonly truncated: boolean;
  readonly authenticated: boolean;
  readonly rcode: number;
  /** How many questions, answers, authorities and additional records are announced. */
  readonly counts: readonly [number, number, number, number];
}

export const HEADER_OCTETS: number = Packet.HEADER_SIZE;

/** Of a message that is long enough to have one. */
export function decodeHeader(message: Uint8Array): Header {
  const header: DecodedHeader = Packet.Header.parse(asBuffer(message));
  return {
    id: header.id,
    isResponse: header.qr === 1,
    opcode: header.opcode,
    authoritative: header.aa === 1,
    truncated: header.tc === 1,
    authenticated: header.ad === 1,
    rcode: header.rcode,
    counts: [header.qdcount, header.ancount, header.nscount, header.arcount],
  };
}

/** The address in an A or AAAA record; undefined when it has not the length of one. */
export function decodeAddress(message: Uint8Array, at: number): string | undefined {
  return decodeRecord(message, at)?.address;
}

/** What an OPT record adds to the header, and the first explanation in it (RFC 8914). */
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

type DecodedHeader = InstanceType<typeof Packet.Header> & { readonly ad?: number };
type DecodedRecord = InstanceType<typeof Packet.Resource>;
type Option = NonNullable<DecodedRecord["rdata"]>[number];

/** The record that begins at `at`. Its owner must have been read by `readName`: the codec's own reader takes long chains. */
function decodeRecord(message: Uint8Array, at: number): DecodedRecord | undefined {
  try {
    return Packet.Resource.parse(new Packet.Reader(asBuffer(message), at * 8));
  } catch {
    // The codec throws what it cannot read; to us it is a record that says nothing.
    return undefined;
  }
}

function isExtendedError(option: Option): option is Option & ExtendedError {
  return "infoCode" in option && "extraText" in option;
}

function asBuffer(message: Uint8Array): Buffer {
  return Buffer.from(message.buffer, message.byteOffset, message.byteLength);
}
