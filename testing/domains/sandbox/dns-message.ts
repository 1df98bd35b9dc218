import { isIP } from "node:net";

import type { RecordType } from "../../../domains/model/answer.ts";
import { decodeHeader, HEADER_OCTETS, TYPE_NUMBERS } from "../../../domains/dns/packet.ts";
import { readName, viewOf } from "../../../domains/dns/wire.ts";
import { TTL_SECONDS, type ServerAnswer, type ZoneRecord } from "./zones.ts";

/** A question as a client sent it. */
export interface ReceivedQuestion {
  /** The name, in lower case. */
  readonly name: string;
  /** Undefined: a type that no zone has. */
  readonly type: RecordType | undefined;
  readonly recursionDesired: boolean;
  /** Whether the client uses EDNS (RFC 6891). */
  readonly edns: boolean;
  /** The octets from the header to the end of the question. */
  readonly head: Uint8Array;
}

const CLASS_INTERNET = 1;
const TYPE_OPT = 41;
/** The largest answer over UDP that we promise to EDNS clients. */
const UDP_PAYLOAD = 1_232;
/** The largest answer over UDP without EDNS (RFC 1035 §4.2.1). */
const PLAIN_PAYLOAD = 512;

const RCODES: Readonly<Record<ServerAnswer["code"], number>> = { ok: 0, missing: 3, refused: 5 };

/** Reads a query with one question; undefined for any other message. */
export function readQuestion(message: Uint8Array): ReceivedQuestion | undefined {
  if (message.length < HEADER_OCTETS) return undefined;
  const { isResponse, opcode, counts } = decodeHeader(message);
  if (isResponse || opcode !== 0 || counts[0] !== 1) return undefined;
  const name = readName(message, HEADER_OCTETS);
  if (name === undefined || name.end + 4 > message.length) return undefined;
  const view = viewOf(message);
  const number = view.getUint16(name.end);
  if (view.getUint16(name.end + 2) !== CLASS_INTERNET) return undefined;
  const type = TYPES.get(number);
  const end = name.end + 4;
  // The only additional record of a query is OPT, which has the root as its name.
  const edns = counts[3] > 0 && message[end] === 0 && view.getUint16(end + 1) === TYPE_OPT;
  const recursionDesired = ((message[2] ?? 0) & 1) === 1;
  return {
    name: name.text.toLowerCase(),
    type,
    recursionDesired,
    edns,
    head: message.slice(0, end),
  };
}

const TYPES: ReadonlyMap<number, RecordType> = new Map(
  Object.entries(TYPE_NUMBERS).map(([type, number]) => {
    // Object.entries loses the key type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return [number, type as RecordType] as const;
  }),
);

/** Writes the answer to a question; over UDP without records if they do not fit, so that the client asks by TCP. */
export function writeAnswer(
  question: ReceivedQuestion,
  answer: ServerAnswer,
  transport: "udp" | "tcp",
): Uint8Array {
  const whole = written(question, answer, false);
  const most = question.edns ? UDP_PAYLOAD : PLAIN_PAYLOAD;
  if (transport === "tcp" || whole.length <= most) return whole;
  return written(question, { ...answer, answers: [], authorities: [] }, true);
}

function written(
  { head, edns, recursionDesired }: ReceivedQuestion,
  { code, authoritative, answers, authorities }: ServerAnswer,
  truncated: boolean,
): Uint8Array {
  const message = Uint8Array.from([
    ...head,
    ...[...answers, ...authorities].flatMap(octetsOf),
    ...(edns ? [0, ...two(TYPE_OPT), ...two(UDP_PAYLOAD), ...four(0), ...two(0)] : []),
  ]);
  const view = viewOf(message);
  // QR, AA, TC, RD; and RA and AD for those who want recursion: what a resolver has at first hand needs no validation.
  const flags =
    0x80_00 |
    (authoritative ? 0x04_00 : 0) |
    (truncated ? 0x02_00 : 0) |
    (recursionDesired ? 0x01_a0 : 0);
  view.setUint16(2, flags | RCODES[code]);
  view.setUint16(6, answers.length);
  view.setUint16(8, authorities.length);
  view.setUint16(10, edns ? 1 : 0);
  return message;
}

function octetsOf({ name, type, value }: ZoneRecord): readonly number[] {
  const data = dataOf(type, value);
  const fixed = [...two(NUMBERS[type]), ...two(CLASS_INTERNET), ...four(TTL_SECONDS)];
  return [...nameOctets(name), ...fixed, ...two(data.length), ...data];
}

const NUMBERS: Readonly<Record<ZoneRecord["type"], number>> = TYPE_NUMBERS;

function dataOf(type: ZoneRecord["type"], value: string): readonly number[] {
  const [first = "", second = "", ...rest] = value.split(" ");
  switch (type) {
    case "A":
      return value.split(".").map(Number);
    case "AAAA":
      return ipv6Octets(value);
    case "CNAME":
    case "NS":
      return nameOctets(value);
    case "MX":
      return [...two(Number(first)), ...nameOctets(second)];
    case "TXT":
      return textOctets(value);
    case "CAA": {
      const tag = [...Buffer.from(second)];
      return [
        Number(first),
        tag.length,
        ...tag,
        ...Buffer.from(rest.join(" ").replaceAll('"', "")),
      ];
    }
    case "SOA":
      return [
        ...nameOctets(first),
        ...nameOctets(second),
        ...rest.flatMap((one) => four(Number(one))),
      ];
  }
}

/** Writes a name without compression (RFC 1035 §3.1). */
function nameOctets(name: string): readonly number[] {
  const labels = name.split(".").filter((label) => label !== "");
  return [...labels.flatMap((label) => [label.length, ...Buffer.from(label)]), 0];
}

/** Writes a text as character-strings of at most 255 octets (RFC 1035 §3.3.14). */
function textOctets(text: string): readonly number[] {
  const octets = Buffer.from(text);
  const strings: number[] = [];
  for (let at = 0; at < Math.max(1, octets.length); at += 255) {
    const part = octets.subarray(at, at + 255);
    strings.push(part.length, ...part);
  }
  return strings;
}

/** Writes an IPv6 address in any of its forms. */
function ipv6Octets(address: string): readonly number[] {
  if (isIP(address) !== 6) throw new TypeError(`Not an IPv6 address: ${address}`);
  // The parser of URLs writes every form as groups in hexadecimal.
  const [before = "", after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text = ""): string[] => (text === "" ? [] : text.split(":"));
  const [front, back] = [groups(before), groups(after)];
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => "0");
  return [...front, ...zeros, ...back].flatMap((group) => two(Number.parseInt(group, 16)));
}

function two(value: number): readonly number[] {
  return [(value >> 8) & 0xff, value & 0xff];
}

function four(value: number): readonly number[] {
  return [...two(value >>> 16), ...two(value & 0xff_ff)];
}
