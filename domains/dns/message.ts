import type {
  Explanation,
  Authority,
  CaaRecord,
  DataOf,
  Exchange,
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

/** An answer as it came, every part of it read; what could be read only in part is no message. */
export interface Message {
  readonly id: number;
  readonly isResponse: boolean;
  readonly authoritative: boolean;
  /** The answer did not fit; its records are not here. */
  readonly truncated: boolean;
  /** The sender checked the signatures (AD). */
  readonly authenticated: boolean;
  /** With the high bits that EDNS carries. */
  readonly rcode: number;
  /** Upper and lower case as sent; undefined when there is none. */
  readonly question: { readonly name: string; readonly type: number } | undefined;
  readonly answers: readonly ResourceRecord[];
  readonly authorities: readonly ResourceRecord[];
  readonly additionals: readonly ResourceRecord[];
  /** There are signatures beside the answers. */
  readonly signed: boolean;
  readonly explanation?: Explanation;
}

/** No set of records that works comes near. Reading stays below a few milliseconds. */
const MAX_RECORDS = 1_000;
const MAX_EXPLANATION = 200;
const TYPE_OPT = 41;
const TYPE_RRSIG = 46;

/** Reads a message; undefined when it is cut off, lies about itself, or is more than anybody needs. */
export function decodeMessage(bytes: Uint8Array): Message | undefined {
  if (bytes.length < HEADER_OCTETS) return undefined;
  const { opcode, counts, ...header } = decodeHeader(bytes);
  const [questions, ...records] = counts;
  // An answer repeats the question, or has none when its sender did not understand it.
  if (opcode !== 0 || questions > 1) return undefined;
  const asked = questions === 1 ? readQuestion(bytes) : undefined;
  if (questions === 1 && asked === undefined) return undefined;
  const question = asked && { name: asked.name, type: asked.type };
  if (header.truncated) return { ...header, question, ...NOTHING };
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
    ...explained,
  };
}

const NOTHING = { answers: [], authorities: [], additionals: [], signed: false } as const;

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

/** What EDNS adds (RFC 6891 §6.1); undefined when it is broken or there twice. */
function readExtension(bytes: Uint8Array, heads: readonly RecordHead[]): Extension | undefined {
  const [head, second] = heads.filter(({ type }) => type === TYPE_OPT);
  if (head === undefined) return { highRcode: 0 };
  const options = second === undefined ? decodeOptions(bytes, head.at) : undefined;
  if (options === undefined) return undefined;
  const { extendedRcode: highRcode, error } = options;
  if (error === undefined) return { highRcode };
  const text = printable(new TextEncoder().encode(error.extraText)).slice(0, MAX_EXPLANATION);
  return { highRcode, explanation: { code: error.infoCode, text } };
}

export interface RecordOf<Type extends RecordType> {
  /** In lower case. */
  readonly name: string;
  readonly type: Type;
  readonly ttlSeconds: number;
  readonly data: DataOf[Type];
}

/** A record of a type that we ask for. */
export type ResourceRecord = { [Type in RecordType]: RecordOf<Type> }[RecordType];

/** Those of `records` that are of the name, in lower case, and of the type. */
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

/** What stands before the data of any record, and where that is. */
interface RecordHead {
  readonly name: string;
  readonly type: number;
  readonly inInternet: boolean;
  readonly ttlSeconds: number;
  /** Where the record begins, where its data begins and where it ends. */
  readonly at: number;
  readonly dataAt: number;
  readonly end: number;
}

/** The head of the record at `at`; undefined when the message ends before the record does. */
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

/** With the highest bit set it is to be taken for 0 (RFC 2181 §8). */
function readTtl(view: DataView, at: number): number {
  const seconds = view.getUint32(at);
  return seconds > 0x7fff_ffff ? 0 : seconds;
}

/** The whole record; `other` when it is of no type that we ask for, undefined when its data is broken. */
function readRecord(message: Uint8Array, head: RecordHead): ResourceRecord | "other" | undefined {
  const type = head.inInternet ? TYPES.get(head.type) : undefined;
  if (type === undefined) return "other";
  const data = READERS[type](message, head);
  if (data === undefined) return undefined;
  // The reader of a type gives the data of that type; TypeScript cannot follow it through the table.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { name: head.name, type, ttlSeconds: head.ttlSeconds, data } as ResourceRecord;
}

type Place = Pick<RecordHead, "at" | "dataAt" | "end">;

const READERS: {
  readonly [Type in RecordType]: (message: Uint8Array, place: Place) => DataOf[Type] | undefined;
} = {
  A: readAddress,
  AAAA: readAddress,
  CAA: readCaa,
  CNAME: readTarget,
  DNAME: readTarget,
  DS: readRaw,
  HTTPS: readRaw,
  MX: readExchange,
  NS: readTarget,
  SOA: readAuthority,
  TXT: (message, { dataAt, end }) => readStrings(message.subarray(dataAt, end)),
};

const TYPES: ReadonlyMap<number, RecordType> = new Map(
  Object.entries(TYPE_NUMBERS).map(([type, number]) => {
    // Object.entries forgets that the keys of a Record are of its key type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return [number, type as RecordType] as const;
  }),
);

function readAddress(message: Uint8Array, { at }: Place): string | undefined {
  return decodeAddress(message, at);
}

/** A name that is all of the data. */
function readTarget(message: Uint8Array, { dataAt, end }: Place): string | undefined {
  const name = readName(message, dataAt);
  return name?.end === end ? name.text.toLowerCase() : undefined;
}

function readExchange(message: Uint8Array, { dataAt, end }: Place): Exchange | undefined {
  if (end - dataAt < 3) return undefined;
  const exchange = readTarget(message, { at: 0, dataAt: dataAt + 2, end });
  if (exchange === undefined) return undefined;
  return { preference: viewOf(message).getUint16(dataAt), exchange };
}

function readAuthority(message: Uint8Array, { dataAt, end }: Place): Authority | undefined {
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

/** Flags, the length of the tag, the tag, the value (RFC 8659 §4.1). A tag has at least one letter. */
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
