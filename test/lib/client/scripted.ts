import { createClient, type Client, type ClientOptions } from "../../../lib/client/index.ts";
import { manualClock, type ManualClock } from "../../../testing/index.ts";

/** A response of a scripted service; a thrown error is a network failure. */
export type Line = Response | Error | ((request: Request) => Response | Promise<Response>);

export interface Scene {
  readonly client: Client;
  readonly clock: ManualClock;
  /** All requests and their times. */
  readonly sent: readonly {
    readonly request: Request;
    readonly at: number;
    readonly body: string;
  }[];
}

export const START = 1_800_000_000_000;

/** Returns a client whose requests get the script's lines in turn; the last line repeats. */
export function scene(lines: readonly Line[], options: Partial<ClientOptions> = {}): Scene {
  const clock = manualClock(START);
  const sent: { request: Request; at: number; body: string }[] = [];
  let draws = 0;
  const answer = async (request: Request): Promise<Response> => {
    const line = lines[Math.min(sent.length, lines.length - 1)];
    const entry = { request, at: clock.now() - START, body: "" };
    sent.push(entry);
    entry.body = await request.clone().text();
    if (line instanceof Error) throw line;
    if (line === undefined) throw new Error("The script is empty.");
    return line instanceof Response ? line.clone() : line(request);
  };
  const client = createClient({
    baseUrl: "https://pets.test/v1",
    apiKey: "secret",
    fetch: answer,
    clock,
    // Nearly the longest possible backoff, and a different key for each call.
    random: (into) => into.fill(247 - (draws++ % 8)),
    ...options,
  });
  return { client, clock, sent };
}

/** Advances the clock in small steps until `promise` settles. */
export async function inTime<Value>(clock: ManualClock, promise: Promise<Value>): Promise<Value> {
  const state = { settled: false };
  const settle = (): void => {
    state.settled = true;
  };
  promise.then(settle, settle);
  for (let step = 0; step < 100_000; step++) {
    await turn();
    if (state.settled) return promise;
    clock.advance(100);
  }
  throw new Error("The promise does not settle, whatever the time.");
}

/** Runs everything that does not wait for the clock. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

export function refusal(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ code, message: `${code}.`, status }, { status, headers });
}

/** Returns a success with the remaining requests of a minute that ends in `seconds`. */
export function page(remaining: number, seconds = 60): Response {
  return Response.json([], {
    headers: {
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": String(remaining),
      "x-ratelimit-reset": String(START / 1_000 + 60),
      ratelimit: `"minute";r=${remaining};t=${seconds}, "day";r=900;t=86000`,
    },
  });
}
