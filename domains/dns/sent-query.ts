import type { Random } from "../../lib/base/id.ts";
import { decodeMessage, type Message } from "./message.ts";
import { encodeQuery, TYPE_NUMBERS, type Question } from "./packet.ts";

/** How a query is written; servers that take offence are asked again more plainly. */
export interface Style {
  /** Upper and lower case at random, which an answer has to repeat (0x20). */
  readonly mixedCase: boolean;
  /** With EDNS. */
  readonly edns: boolean;
}

/** A query as it was sent, against which answers are held. */
export interface SentQuery {
  readonly id: number;
  /** With upper and lower case as sent. */
  readonly name: string;
  readonly type: number;
  readonly bytes: Uint8Array;
}

export interface QueryBits extends Style {
  readonly recursionDesired: boolean;
  readonly checkingDisabled: boolean;
  readonly random: Random;
}

/** A query with an id and letters that nobody can guess: each is one more thing that a forged answer must hit. */
export function writeQuery(
  question: Question,
  { random, mixedCase, ...flags }: QueryBits,
): SentQuery {
  const [high = 0, low = 0] = random(new Uint8Array(2));
  const id = high * 0x100 + low;
  const name = mixedCase ? mixCase(question.name, random) : question.name;
  const bytes = encodeQuery({ name, type: question.type }, { id, ...flags });
  return { id, name, type: TYPE_NUMBERS[question.type], bytes };
}

/** A message worth looking at; `other_case` when it would be but for the letters' case; or none of ours. */
export type Judgement = Message | "other_case" | "stray";

const RCODE_NXDOMAIN = 3;

/** Whether a message answers what was sent. */
export function judge(bytes: Uint8Array, sent: SentQuery): Judgement {
  const message = decodeMessage(bytes);
  if (message === undefined || !message.isResponse || message.id !== sent.id) return "stray";
  const { question, rcode } = message;
  if (question === undefined) {
    // A server that did not understand may leave the question out, but can claim nothing without it.
    return rcode === 0 || rcode === RCODE_NXDOMAIN ? "stray" : message;
  }
  if (question.type !== sent.type) return "stray";
  if (question.name === sent.name) return message;
  return question.name.toLowerCase() === sent.name.toLowerCase() ? "other_case" : "stray";
}

function mixCase(name: string, random: Random): string {
  const bits = random(new Uint8Array(name.length));
  return Array.from(name, (letter, index) =>
    (bits[index] ?? 0) & 1 ? letter.toUpperCase() : letter.toLowerCase(),
  ).join("");
}
