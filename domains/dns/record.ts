import { hex } from "../../lib/base/digest.ts";
import type { Authority, CaaRecord, DataOf, Exchange, RecordType } from "../model/answer.ts";
import { TYPE_NUMBERS, decodeAddress } from "./packet.ts";
import { printable, readName, readStrings, viewOf } from "./wire.ts";

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
export interface RecordHead {
  readonly name: string;
  readonly type: number;
  readonly inInternet: boolean;
  readonly ttlSeconds: number;
  /** Where the record begins, where its data begins and where it ends. */
  readonly at: number;
  readonly dataAt: number;
  readonly end: number;
}

const CLASS_INTERNET = 1;

/** The head of the record at `at`; undefined when the message ends before the record does. */
export function readHead(message: Uint8Array, at: number): RecordHead | undefined {
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
export function readRecord(
  message: Uint8Array,
  head: RecordHead,
): ResourceRecord | "other" | undefined {
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
