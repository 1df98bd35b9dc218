import type { Clock } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";
import { exchangeDatagrams, exchangeStream, type ExchangeMessages } from "./exchange.ts";
import { createGate, limited, TIMED_OUT } from "./gate.ts";
import { type Message, decodeMessage } from "./message.ts";
import { canBeAsked, type Question, encodeQuery, TYPE_NUMBERS } from "./packet.ts";
import type { ServerAddress } from "./server-address.ts";

/** How a question is to be asked. */
export interface Manner {
  /** Asks a resolver to find out; authoritative servers are asked without. */
  readonly recursionDesired: boolean;
  /** Asks a resolver not to check signatures. Default false. */
  readonly checkingDisabled?: boolean;
  /** No answer is waited for after that instant. */
  readonly deadlineAt: number;
  readonly signal?: AbortSignal;
  /** What the question belongs to; so many of one are on their way at a time. */
  readonly asker?: object;
}

/** What came of one question to one server. */
export type Reply =
  | { readonly kind: "message"; readonly message: Message; readonly roundTripMs: number }
  | { readonly kind: "none"; readonly reason: Silence; readonly roundTripMs: number };

export type Silence = "timeout" | "unreachable" | "malformed";

/** Asks one server one question. Rejects only with the reason of the signal. */
export type Ask = (server: ServerAddress, question: Question, manner: Manner) => Promise<Reply>;

export interface QueryOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Questions on their way at a time; others wait their turn. Default 512. */
  readonly maxInFlight?: number;
  /** Of those, questions of one asker: servers that stay silent hold up nobody else. Default 32. */
  readonly maxOfOne?: number;
}

/** A datagram may be lost: it is sent once more, and given twice the time. Then TCP has its turn. */
const DATAGRAM_TIMES_MS: readonly number[] = [800, 1_600];
const STREAM_TIME_MS = 2_500;
/** So many datagrams that answer nothing are read before the server is given up. */
const MAX_STRAY = 16;

/**
 * Questions over UDP, then TCP. An answer counts when it comes from where the question went, repeats its id
 * and question letter for letter, and can be read whole. One that changed upper and lower case, or that
 * refused EDNS, is asked once more without.
 */
export function createAsk({ clock, random, maxInFlight = 512, maxOfOne = 32 }: QueryOptions): Ask {
  const gate = createGate(maxInFlight, maxOfOne);

  /** One query, one way. */
  const exchange = async (
    { server, question, manner }: Asked,
    style: Style,
    { send, ms, maxStray }: Way,
    signal: AbortSignal,
  ): Promise<Judgement | "unreachable" | typeof TIMED_OUT> => {
    const { recursionDesired, checkingDisabled = false } = manner;
    const sent = writeQuery(question, { ...style, recursionDesired, checkingDisabled, random });
    let strays = 0;
    const take = (bytes: Uint8Array): Judgement | undefined => {
      const judgement = judge(bytes, sent);
      return judgement === "stray" && ++strays < maxStray ? undefined : judgement;
    };
    const outcome = await limited({ clock, ms, signal }, (stop) =>
      send(server, sent.bytes, take, stop),
    );
    return outcome === TIMED_OUT && strays > 0 ? "stray" : outcome;
  };

  /** All ways, in one style. */
  const tryAll = async (
    asked: Asked,
    style: Style,
    signal: AbortSignal,
  ): Promise<Message | "other_case" | Silence> => {
    let strayed = false;
    for (const ms of DATAGRAM_TIMES_MS) {
      const datagrams = { send: exchangeDatagrams, ms, maxStray: MAX_STRAY };
      const outcome = await exchange(asked, style, datagrams, signal);
      if (outcome === "other_case") return outcome;
      if (typeof outcome === "object" && !outcome.truncated) return outcome;
      strayed ||= outcome === "stray";
      if (typeof outcome === "object" || outcome === "unreachable") break;
    }
    const stream = { send: exchangeStream, ms: STREAM_TIME_MS, maxStray: 1 };
    const outcome = await exchange(asked, style, stream, signal);
    if (outcome === TIMED_OUT) return strayed ? "malformed" : "timeout";
    if (outcome === "unreachable") return strayed ? "malformed" : "unreachable";
    if (outcome === "stray") return "malformed";
    // There is no way left by which more would fit.
    return typeof outcome === "object" && outcome.truncated ? "malformed" : outcome;
  };

  const converse = async (asked: Asked, signal: AbortSignal): Promise<Reply> => {
    const startedAt = clock.now();
    let style: Style = { mixedCase: true, edns: true };
    for (;;) {
      const outcome = await tryAll(asked, style, signal);
      if (outcome === "other_case" && style.mixedCase) {
        style = { ...style, mixedCase: false };
        continue;
      }
      if (typeof outcome === "object" && style.edns && refusesEdns(outcome)) {
        style = { ...style, edns: false };
        continue;
      }
      const roundTripMs = clock.now() - startedAt;
      if (typeof outcome === "object") return { kind: "message", message: outcome, roundTripMs };
      const reason = outcome === "other_case" ? "malformed" : outcome;
      return { kind: "none", reason, roundTripMs };
    }
  };

  return async (server, question, manner) => {
    if (!canBeAsked(question.name)) return { kind: "none", reason: "malformed", roundTripMs: 0 };
    const ms = manner.deadlineAt - clock.now();
    const { signal, asker } = manner;
    const reply = await limited({ clock, ms, ...(signal && { signal }) }, (stop) =>
      gate.pass(() => converse({ server, question, manner }, stop), stop, asker),
    );
    if (reply !== TIMED_OUT) return reply;
    return { kind: "none", reason: "timeout", roundTripMs: Math.max(0, ms) };
  };
}

interface Asked {
  readonly server: ServerAddress;
  readonly question: Question;
  readonly manner: Manner;
}

interface Way {
  readonly send: ExchangeMessages;
  readonly ms: number;
  readonly maxStray: number;
}

/** FORMERR, NOTIMP and BADVERS are what servers say that know no EDNS (RFC 6891 §7). */
function refusesEdns({ rcode }: Message): boolean {
  return rcode === 1 || rcode === 4 || rcode === 16;
}

/** How a query is written; servers that take offence are asked again more plainly. */
interface Style {
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
type Judgement = Message | "other_case" | "stray";

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
