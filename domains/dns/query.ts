import { aClock, aCount, aFunction, checkOptions, optional } from "../../lib/base/options.ts";
import type { Clock } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";
import { sendOverUdp, sendOverTcp, type SendQuery } from "./sockets.ts";
import { createGate, withTimeLimit, TIMED_OUT } from "./gate.ts";
import { type Message, decodeMessage } from "./message.ts";
import { canBeQueried, type Question, encodeQuery, loadCodec, TYPE_NUMBERS } from "./packet.ts";
import type { ServerAddress } from "./server-address.ts";

/** Settings of one query. */
export interface AskOptions {
  /** RD: set for resolvers, not for authoritative servers. */
  readonly recursionDesired: boolean;
  /** CD: asks a resolver not to validate signatures. Default false. */
  readonly checkingDisabled?: boolean;
  /** Gives up at this instant, in milliseconds since the Unix epoch. */
  readonly deadlineAt: number;
  /** Aborts the query, which then rejects. Default: none. */
  readonly signal?: AbortSignal;
  /** Shared by related queries; the number of concurrent queries per group is limited. Default: no group. */
  readonly group?: object;
}

/** The outcome of a query to one server. */
export type Reply =
  | { readonly kind: "message"; readonly message: Message; readonly roundTripMs: number }
  | { readonly kind: "none"; readonly reason: NoAnswerReason; readonly roundTripMs: number };

/** Why a server gave no answer. */
export type NoAnswerReason = "timeout" | "unreachable" | "malformed";

/** Sends one question to one server. Rejects only with the signal's reason. */
export type Ask = (
  server: ServerAddress,
  question: Question,
  options: AskOptions,
) => Promise<Reply>;

/** Options of the sender of DNS queries. */
export interface QueryOptions {
  /** `systemClock`, or a clock of your own. */
  readonly clock: Clock;
  /** Fills an array with random bytes: `(into) => crypto.getRandomValues(into)`. */
  readonly random: Random;
  /** Most concurrent queries; others wait. Default 512. */
  readonly maxInFlight?: number;
  /** Most concurrent queries per group, so that silent servers delay no other group. Default 32. */
  readonly maxPerGroup?: number;
}

/** Timeouts of the UDP attempts, after which TCP is tried. */
const DATAGRAM_TIMES_MS: readonly number[] = [800, 1_600];
const STREAM_TIME_MS = 2_500;
/** Most unrelated datagrams read per attempt. */
const MAX_STRAY = 16;

/**
 * Creates a function that queries over UDP, then TCP. A response counts if it comes from the queried address, repeats
 * the id and the question including letter case, and decodes completely. If the server changed the letter case or
 * refused EDNS, the query is repeated once without that feature. Throws a `TypeError` for invalid options.
 */
export function createAsk(options: QueryOptions): Ask {
  checkOptions("createAsk", options, {
    clock: aClock,
    random: aFunction,
    maxInFlight: optional(aCount(1)),
    maxPerGroup: optional(aCount(1)),
  });
  const { clock, random, maxInFlight = 512, maxPerGroup = 32 } = options;
  const gate = createGate(maxInFlight, maxPerGroup);

  /** Sends one query over one transport. */
  const sendOnce = async (
    { server, question, manner, signal }: Inquiry,
    style: Style,
    { send, maxStray, ...attempt }: Attempt,
  ): Promise<Verdict | "unreachable" | typeof TIMED_OUT> => {
    const { recursionDesired, checkingDisabled = false, deadlineAt } = manner;
    const ms = Math.min(attempt.ms, deadlineAt - clock.now());
    const sent = writeQuery(question, { ...style, recursionDesired, checkingDisabled, random });
    let strays = 0;
    const take = (bytes: Uint8Array): Verdict | undefined => {
      const judgement = judge(bytes, sent);
      return judgement === "stray" && ++strays < maxStray ? undefined : judgement;
    };
    const outcome = await withTimeLimit({ clock, ms, ...(signal && { signal }) }, (stop) =>
      send(server, sent.bytes, take, stop),
    );
    return outcome === TIMED_OUT && strays > 0 ? "stray" : outcome;
  };

  /** Tries all transports in one style. */
  const tryAll = async (
    asked: Inquiry,
    style: Style,
  ): Promise<Message | "other_case" | NoAnswerReason> => {
    let strayed = false;
    for (const ms of DATAGRAM_TIMES_MS) {
      const datagrams = { send: sendOverUdp, ms, maxStray: MAX_STRAY };
      const outcome = await sendOnce(asked, style, datagrams);
      if (outcome === "other_case") return outcome;
      if (typeof outcome === "object" && !outcome.truncated) return outcome;
      strayed ||= outcome === "stray";
      if (typeof outcome === "object" || outcome === "unreachable") break;
    }
    const stream = { send: sendOverTcp, ms: STREAM_TIME_MS, maxStray: 1 };
    const outcome = await sendOnce(asked, style, stream);
    if (outcome === TIMED_OUT) return strayed ? "malformed" : "timeout";
    if (outcome === "unreachable") return strayed ? "malformed" : "unreachable";
    if (outcome === "stray") return "malformed";
    // No transport is left over which more would fit.
    return typeof outcome === "object" && outcome.truncated ? "malformed" : outcome;
  };

  const sendWithFallbacks = async (asked: Inquiry): Promise<Reply> => {
    const startedAt = clock.now();
    let style: Style = { mixedCase: true, edns: true };
    for (;;) {
      const outcome = await tryAll(asked, style);
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
      const isLate = clock.now() >= asked.manner.deadlineAt;
      const reason = isLate ? "timeout" : outcome === "other_case" ? "malformed" : outcome;
      return { kind: "none", reason, roundTripMs };
    }
  };

  return async (server, question, manner) => {
    if (!canBeQueried(question.name)) return { kind: "none", reason: "malformed", roundTripMs: 0 };
    await loadCodec();
    const ms = manner.deadlineAt - clock.now();
    const { signal, group } = manner;
    const pass = (stop?: AbortSignal): Promise<Reply> => {
      const asked = { server, question, manner, ...(stop && { signal: stop }) };
      return gate.pass(() => sendWithFallbacks(asked), stop, group);
    };
    // Each attempt ends at the deadline, so only the wait for a slot needs a limit of its own.
    const reply = gate.hasRoom(group)
      ? await pass(signal)
      : await withTimeLimit({ clock, ms, ...(signal && { signal }) }, pass);
    if (reply !== TIMED_OUT) return reply;
    return { kind: "none", reason: "timeout", roundTripMs: Math.max(0, ms) };
  };
}

interface Inquiry {
  readonly server: ServerAddress;
  readonly question: Question;
  readonly manner: AskOptions;
  readonly signal?: AbortSignal;
}

interface Attempt {
  readonly send: SendQuery;
  readonly ms: number;
  readonly maxStray: number;
}

/** Servers without EDNS respond with FORMERR, NOTIMP or BADVERS (RFC 6891 §7). */
function refusesEdns({ rcode }: Message): boolean {
  return rcode === 1 || rcode === 4 || rcode === 16;
}

/** Optional features of a query, dropped for servers that cannot handle them. */
interface Style {
  /** Random letter case, which the response must repeat (0x20 encoding). */
  readonly mixedCase: boolean;
  /** True for a query with EDNS. */
  readonly edns: boolean;
}

/** A sent query, against which responses are checked. */
export interface SentQuery {
  readonly id: number;
  /** Letter case as sent. */
  readonly name: string;
  readonly type: number;
  readonly bytes: Uint8Array;
}

export interface QueryBits extends Style {
  readonly recursionDesired: boolean;
  readonly checkingDisabled: boolean;
  readonly random: Random;
}

/** Creates a query with an unpredictable id and letter case, so that responses are hard to forge. */
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

/** A response to the query; `other_case` if only the letter case of the name differs; `stray` for anything else. */
type Verdict = Message | "other_case" | "stray";

const RCODE_NXDOMAIN = 3;

/** Checks whether a message is a response to the query. */
export function judge(bytes: Uint8Array, sent: SentQuery): Verdict {
  const message = decodeMessage(bytes);
  if (message === undefined || !message.isResponse || message.id !== sent.id) return "stray";
  const { question, rcode } = message;
  if (question === undefined) {
    // A server that could not parse the query may omit the question, but then it can only report an error.
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
