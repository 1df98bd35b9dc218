import type { Explanation } from "../model/answer.ts";
import { HEADER_OCTETS, decodeHeader, decodeOptions } from "./packet.ts";
import { readHead, readRecord, type RecordHead, type ResourceRecord } from "./record.ts";
import { printable, readName, viewOf } from "./wire.ts";

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
const CLASS_INTERNET = 1;

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
