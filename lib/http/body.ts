import { SECOND_MS, type Clock } from "../base/clock.ts";
import type { Closing } from "../base/closing.ts";
import type { Eventual } from "../base/eventual.ts";
import { parseJson, parseLargeJson, STEP, type ParsedJson } from "../base/json.ts";
import { joined, readAway, readParts } from "../base/parts.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { check } from "../base/check.ts";
import type { Schema } from "../base/schema.ts";

export const MAX_BODY_BYTES: number = 64 * 1024;
export const MAX_DEPTH = 32;
export const BODY_DEADLINE_MS: number = 10 * SECOND_MS;
/** How much of a body that is too large is read and discarded after the refusal. */
const MAX_DROPPED_BYTES: number = 4 * 1024 * 1024;

/** Reads bodies within a size and a time limit. All reads share one timer. */
export interface BodyReader {
  /** Reads at most `maxBytes`, default 64 KiB. */
  read(request: Request, maxBytes?: number): Promise<Result<Uint8Array, Problem>>;
  /**
   * Resolves when the client has sent the rest of an unread body: after 4 MiB, or 10 seconds, in any case. A
   * connection that is closed while its client sends loses the response.
   */
  dropRest(request: Request): Promise<void>;
}

type BodyPartReader = ReadableStreamDefaultReader<Uint8Array>;

interface Reading {
  readonly startedAt: number;
  readonly giveUp: () => void;
}

/** The timer of all readings. */
interface Watch {
  wokeAt: number;
  readonly wake: AbortController;
}

/** Creates a reader of bodies. After `closing`, the timer ends with the last body, so that the process can exit. */
export function bodyReader(clock: Clock, closing: Closing): BodyReader {
  const readings = new Set<Reading>();
  let current: Watch | undefined;
  closing.listen(() => current?.wake.abort());

  const watch = async (): Promise<void> => {
    const mine: Watch = { wokeAt: clock.now(), wake: new AbortController() };
    current = mine;
    const replaced = (): boolean => current !== mine;
    while (readings.size > 0 && !replaced()) {
      // Closing wakes the timer once; the remaining bodies are then checked every second.
      const { signal } = mine.wake;
      await clock.sleep(SECOND_MS, closing.closed ? undefined : signal).catch(() => undefined);
      mine.wokeAt = clock.now();
      for (const reading of readings) {
        // If the clock was set back, the elapsed time is unknown.
        if (Math.abs(mine.wokeAt - reading.startedAt) >= BODY_DEADLINE_MS) reading.giveUp();
      }
    }
    if (!replaced()) current = undefined;
  };

  /** On workerd, a timer ends with the request that started it, so a timer that is late may never fire. */
  const isWatched = (): boolean =>
    current !== undefined && Math.abs(clock.now() - current.wokeAt) <= 2 * SECOND_MS;

  const add = (giveUp: () => void): Reading => {
    const reading: Reading = {
      startedAt: clock.now(),
      giveUp: () => {
        readings.delete(reading);
        giveUp();
      },
    };
    readings.add(reading);
    if (!isWatched()) void watch();
    return reading;
  };

  /**
   * Reads and discards the rest of a refused body, within bounds. Some hosts on `node:http` (@hono/node-server, srvx)
   * close the connection when their stream is cancelled, which would also lose the client's next request.
   */
  const drop = (reader: BodyPartReader): Promise<void> =>
    new Promise((resolve) => {
      const cancel = (): void => {
        reader.cancel().catch(() => undefined);
        resolve();
      };
      const dropping = add(cancel);
      const finish = (hasEnded: boolean): void => {
        readings.delete(dropping);
        if (!hasEnded) cancel();
        resolve();
      };
      readAway(reader, MAX_DROPPED_BYTES).then(finish, () => finish(true));
    });
  /** The bodies whose reading began. */
  const dropped = new WeakMap<Request, Promise<void>>();

  return {
    read: (request, maxBytes = MAX_BODY_BYTES) => {
      const length = request.headers.get("content-length");
      if (length !== null && Number(length) > maxBytes) {
        return Promise.resolve(refused(tooLarge(maxBytes)));
      }
      return new Promise((resolve) => {
        const reading = add(() => resolve(refused(tooSlow)));
        const settle = (outcome: Result<Uint8Array, Problem>): void => {
          readings.delete(reading);
          resolve(outcome);
        };
        const breakOff = (): void => settle(refused(brokenOff));
        if (length === null) {
          collect(request, maxBytes, (reader) => dropped.set(request, drop(reader))).then(
            settle,
            breakOff,
          );
        } else {
          // Every runtime enforces an announced length.
          request.arrayBuffer().then((buffer) => settle(done(new Uint8Array(buffer))), breakOff);
        }
      });
    },
    dropRest: async (request) => {
      const { body } = request;
      if (body !== null && !body.locked) await drop(body.getReader());
      else await dropped.get(request);
    },
  };
}

/** Reads a body of unknown length, counting its bytes. */
async function collect(
  request: Request,
  maxBytes: number,
  drop: (reader: BodyPartReader) => unknown,
): Promise<Result<Uint8Array, Problem>> {
  if (request.bodyUsed) return refused(brokenOff);
  const reader = request.body?.getReader();
  const parts = reader === undefined ? [] : await readParts(reader, maxBytes);
  if (parts !== undefined) return done(joined(parts));
  if (reader !== undefined) drop(reader);
  return refused(tooLarge(maxBytes));
}

/** Parses a body and checks it against `schema`. */
export function readJson(data: Uint8Array, schema: Schema<unknown>): Result<unknown, Problem> {
  return judged(parseJson(data, MAX_DEPTH), schema);
}

/** Like `readJson`, for a body that may be large: other requests are served while it is parsed. */
export function readLargeJson(
  data: Uint8Array,
  schema: Schema<unknown>,
): Eventual<Result<unknown, Problem>> {
  if (data.length <= STEP) return readJson(data, schema);
  return parseLargeJson(data, MAX_DEPTH).then((parsed) => judged(parsed, schema));
}

function judged(parsed: ParsedJson, schema: Schema<unknown>): Result<unknown, Problem> {
  if (!parsed.ok) {
    const { code, pointer, message } = parsed.failure;
    return refused(problem(code, message, { errors: [{ pointer, code, message }] }));
  }
  const checked = check(schema, parsed.value);
  if (checked.ok) return checked;
  const [{ code, message }] = checked.failure;
  return refused(problem(code, message, { errors: checked.failure }));
}

function tooLarge(maxBytes: number): Problem {
  return problem("payload_too_large", `The body is larger than ${maxBytes / 1024} KiB.`);
}
const tooSlow: Problem = problem(
  "request_timeout",
  `The body did not arrive within ${BODY_DEADLINE_MS / SECOND_MS} seconds.`,
);
const brokenOff: Problem = problem("invalid_json", "The body is incomplete or was already read.");
