import { heapStats } from "bun:jsc";

import type { Decoder, Input } from "./decoder.ts";

/** What an input did that no decoder may do. */
export interface Finding {
  readonly fault:
    | "an exception escaped"
    | "a promise was rejected without a handler"
    | "too slow"
    | "grows faster than its input"
    | "takes too much memory"
    | "keeps memory"
    | "does not end"
    | "does not answer";
  readonly detail: string;
  /** The input's number; the same seed and number make it again. */
  readonly index: number;
  /** Its beginning, in hexadecimal or as JSON, and its length. */
  readonly input: string;
}

/** The outcome for a decoder. */
export interface Report {
  readonly decoder: string;
  readonly file: string;
  /** Inputs that were decoded, stretched ones included. */
  readonly inputs: number;
  /** Those that it did not refuse. */
  readonly accepted: number;
  readonly findings: readonly Finding[];
  /** The longest time for one input, and the processor time for all, in milliseconds. */
  readonly longestMs: number;
  readonly cpuMs: number;
}

/** Time for any input, besides the time for each byte. */
const ANY_MS = 10;
/** Linear time gives 8 for an input of eight times the size, quadratic time 64. */
const SIZES = 8;
const MOST_GROWTH = 24;
/** Linear time gives 2 for an input of twice the size, quadratic time 4. */
const MOST_DOUBLED = 3;
const MIB = 1_048_576;
/** Memory that one input may take at once, besides 256 bytes for each of its own. */
const MOST_AT_ONCE = 160 * MIB;
/** Memory that may remain after all inputs: caches have bounds. */
const MOST_KEPT = 48 * MIB;
const CHECKED_EVERY = 4_096;
/** A decoder with more findings needs no further inputs. */
const MOST_FINDINGS = 3;

export interface JudgeOptions {
  readonly seed: number;
  /** Multiplies the number of inputs. */
  readonly times: number;
  /** Called with the number of the next input. */
  readonly at: (index: number) => void;
}

/** Decodes all inputs of a decoder and finds those that break a promise. */
export async function judge(decoder: Decoder, { seed, times, at }: JudgeOptions): Promise<Report> {
  const findings: Finding[] = [];
  const cpuBefore = process.cpuUsage();
  let [accepted, tried, longestMs, current] = [0, 0, 0, 0];
  let input: Input = "";
  const add = (fault: Finding["fault"], detail: string): void => {
    if (findings.some((one) => one.index === current && one.fault === fault)) return;
    findings.push({ fault, detail, index: current, input: shown(input) });
  };
  const unhandled = (error: unknown): void =>
    add("a promise was rejected without a handler", messageOf(error));
  process.on("unhandledRejection", unhandled);

  /** Returns the time that it took, in milliseconds. */
  const decode = async (): Promise<number> => {
    const from = performance.now();
    try {
      const outcome: unknown = decoder.decode(input);
      const value = outcome instanceof Promise ? await outcome : outcome;
      if (value !== undefined && value !== false) accepted++;
    } catch (error) {
      if (decoder.refuses?.(error) !== true) add("an exception escaped", messageOf(error));
    }
    tried++;
    return performance.now() - from;
  };
  /** A busy machine makes anything slow now and then: returns the least of several times, or the first that is short enough. */
  const least = async (enoughMs = 0): Promise<number> => {
    let best = Infinity;
    for (let turn = 0; turn < (enoughMs > 0 ? 12 : 6) && best > enoughMs; turn++) {
      const before = process.cpuUsage();
      const elapsed = await decode();
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, elapsed, (user + system) / 1_000);
    }
    return best;
  };
  const limitMs = (): number => ANY_MS + (input.length * decoder.perByteUs) / 1_000;
  const timed = async (): Promise<number> => {
    let elapsed = await decode();
    if (elapsed > limitMs()) elapsed = await least(limitMs());
    if (elapsed > limitMs()) {
      add("too slow", `${elapsed.toFixed(1)} ms for ${input.length}`);
    }
    longestMs = Math.max(longestMs, elapsed);
    return elapsed;
  };

  Bun.gc(true);
  const keptBefore = heapBytes();
  let rss = process.memoryUsage.rss();
  const watchMemory = async (): Promise<void> => {
    const most = MOST_AT_ONCE + 256 * input.length;
    if (process.memoryUsage.rss() - rss < most) return;
    // Most of it is garbage of earlier inputs.
    Bun.gc(true);
    rss = process.memoryUsage.rss();
    await decode();
    const taken = process.memoryUsage.rss() - rss;
    if (taken > most) add("takes too much memory", `${Math.round(taken / MIB)} MiB`);
    Bun.gc(true);
    rss = process.memoryUsage.rss();
  };

  const inputs = decoder.inputs * times;
  for (let index = 0; index < inputs && findings.length < MOST_FINDINGS; index++) {
    current = index;
    at(index);
    input = decoder.input(seed, index);
    await timed();
    if (index % CHECKED_EVERY === 0) await watchMemory();
  }
  const stretches = decoder.stretches * Math.max(1, Math.min(times, 20));
  for (let index = 0; index < stretches && findings.length < MOST_FINDINGS; index++) {
    current = inputs + index;
    at(current);
    input = decoder.stretched(seed, index, Math.floor(decoder.longest / SIZES));
    let short = await timed();
    input = decoder.stretched(seed, index, decoder.longest);
    let long = await timed();
    // Shorter times are noise, or those of a faster way for small inputs.
    const noticeable = Math.max(ANY_MS, limitMs() / 10);
    if (long > noticeable && long > MOST_GROWTH * short) {
      const leastOf = (parts: number): Promise<number> => {
        input = decoder.stretched(seed, index, Math.floor(decoder.longest / parts));
        return least();
      };
      short = await leastOf(SIZES);
      // A short input may be refused before what takes the time, so half of the long one must tell the same; and a quarter, because
      // what begins with a certain size grows once.
      const [quarter, half] = [await leastOf(4), await leastOf(2)];
      long = await leastOf(1);
      const doubled = Math.min(long / half, half / quarter);
      if (long > noticeable && long > MOST_GROWTH * short && doubled > MOST_DOUBLED) {
        add("grows faster than its input", `${short.toFixed(2)} ms, then ${long.toFixed(2)} ms`);
      }
    }
    await watchMemory();
  }
  // A rejection without a handler is reported after the current turn.
  await new Promise(setImmediate);
  Bun.gc(true);
  const kept = heapBytes() - keptBefore;
  if (kept > MOST_KEPT) add("keeps memory", `${Math.round(kept / MIB)} MiB`);
  process.off("unhandledRejection", unhandled);
  const { name, file } = decoder;
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuMs = (user + system) / 1_000;
  return { decoder: name, file, inputs: tried, accepted, findings, longestMs, cpuMs };
}

function heapBytes(): number {
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
}

const MOST_SHOWN = 2_000;

/** Returns an input for a message. */
export function shown(input: Input): string {
  const text = typeof input === "string" ? JSON.stringify(input) : input.toHex();
  const rest = text.length > MOST_SHOWN ? "…" : "";
  return `${text.slice(0, MOST_SHOWN)}${rest} (length ${input.length})`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
