import type {
  Explanation,
  SoaRecord,
  CaaRecord,
  DataOf,
  MxRecord,
  RecordType,
} from "../model/answer.ts";
import {
  CLASS_INTERNET,
  HEADER_OCTETS,
  decodeHeader,
  decodeOptions,
  TYPE_NUMBERS,
  decodeAddress,
} from "./packet.ts";
import { printable, readName, viewOf, readStrings } from "./wire.ts";
import { hex } from "../../lib/base/digest.ts";

/** A completely decoded DNS message. */
export interface Message {
  readonly id: number;
  readonly isResponse: boolean;
  readonly authoritative: boolean;
  /** The answer did not fit (TC); its records are not read. */
  readonly truncated: boolean;
  /** The sender validated the signatures (AD). */
  readonly authenticated: boolean;
  /** Includes the high bits from EDNS. */
  readonly rcode: number;
  /** Letter case as sent; undefined if there is none. */
  readonly question: { readonly name: string; readonly type: number } | undefined;
  readonly answers: readonly ResourceRecord[];
  readonly authorities: readonly ResourceRecord[];
  readonly additionals: readonly ResourceRecord[];
  /** The answer section contains signatures. */
  readonly signed: boolean;
  /** The signatures in the answer section. */
  readonly signatures: readonly SignatureRecord[];
  readonly explanation?: Explanation;
}

/** A signature as sent (RRSIG, RFC 4034 §3.1). */
export interface SignatureRecord {
  /** The owner, in lower case. */
  readonly name: string;
  readonly data: Uint8Array;
}

/** No working record set comes near. Keeps decoding below a few milliseconds. */
const MAX_RECORDS = 1_000;
const MAX_EXPLANATION = 200;
const TYPE_OPT = 41;
const TYPE_RRSIG = 46;

/** Decodes a message; undefined if it is truncated, inconsistent or unreasonably large. */
export function decodeMessage(bytes: Uint8Array): Message | undefined {
  if (bytes.length < HEADER_OCTETS) return undefined;
  const { opcode, counts, ...header } = decodeHeader(bytes);
  const [questions, ...records] = counts;
  // A response repeats the question, or has none if the server could not parse it.
  if (opcode !== 0 || questions > 1) return undefined;
  const asked = questions === 1 ? readQuestion(bytes) : undefined;
  if (questions === 1 && asked === undefined) return undefined;
  const question = asked && { name: asked.name, type: asked.type };
  if (header.truncated) return { ...header, question, ...EMPTY_SECTIONS };
  const heads = readHeads(bytes, asked?.end ?? HEADER_OCTETS, records);
  if (heads === undefined) return undefined;
  const [answers, authorities, additionals] = heads.map((section) => readAll(bytes, section));
  const extension = readExtension(bytes, heads[2]);
  if (!answers || !authorities || !additionals || !extension) return undefined;
  const { highRcode, ...explained } = extension;
  return {
    ...header,
    rcode: highRcode * 0x10 + header.rcode,
    question,
    answers,
    authorities,
    additionals,
    signed: heads[0].some(({ type }) => type === TYPE_RRSIG),
    signatures: heads[0]
      .filter(({ type, inInternet }) => type === TYPE_RRSIG && inInternet)
      .map(({ name, dataAt, end }) => ({ name, data: bytes.slice(dataAt, end) })),
    ...explained,
  };
}

const EMPTY_SECTIONS = {
  answers: [],
  authorities: [],
  additionals: [],
  signed: false,
  signatures: [],
} as const;

function readQuestion(bytes: Uint8Array) {
  const name = readName(bytes, HEADER_OCTETS);
  if (name === undefined || name.end + 4 > bytes.length) return undefined;
  const view = viewOf(bytes);
  if (view.getUint16(name.end + 2) !== CLASS_INTERNET) return undefined;
  return { name: name.text, type: view.getUint16(name.end), end: name.end + 4 };
}

type Heads = readonly [
  answers: readonly RecordHead[],
  authorities: readonly RecordHead[],
  additionals: readonly RecordHead[],
];

function readHeads(
  bytes: Uint8Array,
  start: number,
  counts: readonly [number, number, number],
): Heads | undefined {
  if (counts[0] + counts[1] + counts[2] > MAX_RECORDS) return undefined;
  const sections: [RecordHead[], RecordHead[], RecordHead[]] = [[], [], []];
  let at = start;
  for (const [index, section] of sections.entries()) {
    for (let left = counts[index] ?? 0; left > 0; left--) {
      const head = readHead(bytes, at);
      if (head === undefined) return undefined;
      section.push(head);
      at = head.end;
    }
  }
  return sections;
}

function readAll(
  bytes: Uint8Array,
  heads: readonly RecordHead[],
): readonly ResourceRecord[] | undefined {
  const records: ResourceRecord[] = [];
  for (const head of heads) {
    const record = readRecord(bytes, head);
    if (record === undefined) return undefined;
    if (record !== "other") records.push(record);
  }
  return records;
}

interface Extension {
  readonly highRcode: number;
  readonly explanation?: Explanation;
}

/** Reads the OPT record (RFC 6891 §6.1); undefined if it is malformed or occurs twice. */
function readExtension(bytes: Uint8Array, heads: readonly RecordHead[]): Extension | undefined {
  const [head, second] = heads.filter(({ type }) => type === TYPE_OPT);
  if (head === undefined) return { highRcode: 0 };
  if (second !== undefined) return undefined;
  // Nearly all responses have the record, and nearly none of them options. Its TTL begins with the high bits.
  if (head.dataAt === head.end) return { highRcode: bytes[head.dataAt - 6] ?? 0 };
  const options = decodeOptions(bytes, head.at);
  if (options === undefined) return undefined;
  const { extendedRcode: highRcode, error } = options;
  if (error === undefined) return { highRcode };
  const text = printable(new TextEncoder().encode(error.extraText)).slice(0, MAX_EXPLANATION);
  return { highRcode, explanation: { code: error.infoCode, text } };
}

/** A record of one type. */
export interface RecordOf<Type extends RecordType> {
  /** The name in lower case. */
  readonly name: string;
  readonly type: Type;
  readonly ttlSeconds: number;
  readonly data: DataOf[Type];
}

/** A record of a type that we query. */
export type ResourceRecord = { [Type in RecordType]: RecordOf<Type> }[RecordType];

/** Returns the records with that name, given in lower case, and that type. */
export function recordsAt<Type extends RecordType>(
  records: readonly ResourceRecord[],
  name: string,
  type: Type,
): readonly RecordOf<Type>[] {
  const matching = records.filter((record) => record.type === type && record.name === name);
  // TypeScript does not narrow a union by a generic type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return matching as readonly unknown[] as readonly RecordOf<Type>[];
}

/** The fixed part of a record, and the position of its data. */
interface RecordHead {
  readonly name: string;
  readonly type: number;
  readonly inInternet: boolean;
  readonly ttlSeconds: number;
  /** Offsets of the record's start, its data and its end. */
  readonly at: number;
  readonly dataAt: number;
  readonly end: number;
}

/** Reads the fixed part of the record at `at`; undefined if the record exceeds the message. */
function readHead(message: Uint8Array, at: number): RecordHead | undefined {
  const name = readName(message, at);
  if (name === undefined || name.end + 10 > message.length) return undefined;
  const view = viewOf(message);
  const dataAt = name.end + 10;
  const end = dataAt + view.getUint16(name.end + 8);
  if (end > message.length) return undefined;
  return {
    name: name.text.toLowerCase(),
    type: view.getUint16(name.end),
    inInternet: view.getUint16(name.end + 2) === CLASS_INTERNET,
    ttlSeconds: readTtl(view, name.end + 4),
    at,
    dataAt,
    end,
  };
}

/** A TTL with its highest bit set counts as 0 (RFC 2181 §8). */
function readTtl(view: DataView, at: number): number {
  const seconds = view.getUint32(at);
  return seconds > 0x7fff_ffff ? 0 : seconds;
}

/** Reads a record; `other` if its type is not one that we query, undefined if its data is malformed. */
function readRecord(message: Uint8Array, head: RecordHead): ResourceRecord | "other" | undefined {
  const type = head.inInternet ? TYPES.get(head.type) : undefined;
  if (type === undefined) return "other";
  const data = READERS[type](message, head);
  if (data === undefined) return undefined;
  // Each reader returns the data of its type; TypeScript cannot infer that from the table.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { name: head.name, type, ttlSeconds: head.ttlSeconds, data } as ResourceRecord;
}

type Place = Pick<RecordHead, "at" | "dataAt" | "end">;

const READERS: {
  readonly [Type in RecordType]: (message: Uint8Array, place: Place) => DataOf[Type] | undefined;
} = {
  A: (message, { dataAt, end }) =>
    end - dataAt === 4 ? message.subarray(dataAt, end).join(".") : undefined,
  AAAA: (message, { at }) => decodeAddress(message, at),
  CAA: readCaa,
  CNAME: readDomainName,
  DNAME: readDomainName,
  DNSKEY: readRaw,
  DS: readRaw,
  HTTPS: readRaw,
  MX: readMx,
  NS: readDomainName,
  SOA: readSoa,
  TXT: (message, { dataAt, end }) => readStrings(message.subarray(dataAt, end)),
};

const TYPES: ReadonlyMap<number, RecordType> = new Map(
  Object.entries(TYPE_NUMBERS).map(([type, number]) => {
    // Object.entries loses the key type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return [number, type as RecordType] as const;
  }),
);

/** Reads data that consists of one name. */
function readDomainName(message: Uint8Array, { dataAt, end }: Place): string | undefined {
  const name = readName(message, dataAt);
  return name?.end === end ? name.text.toLowerCase() : undefined;
}

function readMx(message: Uint8Array, { dataAt, end }: Place): MxRecord | undefined {
  if (end - dataAt < 3) return undefined;
  const exchange = readDomainName(message, { at: 0, dataAt: dataAt + 2, end });
  if (exchange === undefined) return undefined;
  return { preference: viewOf(message).getUint16(dataAt), exchange };
}

function readSoa(message: Uint8Array, { dataAt, end }: Place): SoaRecord | undefined {
  const primary = readName(message, dataAt);
  const admin = primary === undefined ? undefined : readName(message, primary.end);
  if (primary === undefined || admin === undefined || admin.end + 20 !== end) return undefined;
  const view = viewOf(message);
  return {
    primary: primary.text.toLowerCase(),
    serial: view.getUint32(admin.end),
    negativeTtlSeconds: readTtl(view, end - 4),
  };
}

/** Reads flags, tag length, tag and value (RFC 8659 §4.1). A tag is not empty. */
function readCaa(message: Uint8Array, { dataAt, end }: Place): CaaRecord | undefined {
  const [flags = 0, length = 0] = message.subarray(dataAt, end);
  const valueAt = dataAt + 2 + length;
  if (length === 0 || valueAt > end) return undefined;
  return {
    flags,
    tag: printable(message.subarray(dataAt + 2, valueAt)),
    value: printable(message.subarray(valueAt, end)),
  };
}

function readRaw(message: Uint8Array, { dataAt, end }: Place): string {
  return hex(message.subarray(dataAt, end));
}
