import { systemClock, type Clock } from "../base/clock.ts";
import { systemRandom, type Random } from "../base/id.ts";

/** Options of the client of the public API. */
export interface ClientOptions {
  /** Address of the API with the version prefix: `https://pets.example.org/v1`. */
  readonly baseUrl: string;
  /**
   * A secret: do not use it in a browser, where anyone can read it. Leave it out behind a login of the host, whose cookies
   * browsers send to the same origin; `undefined` is refused.
   */
  readonly apiKey?: string;
  /** Default: the global `fetch`. */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
  /** Most attempts of a call before its last failure is thrown; default 5. */
  readonly attempts?: number;
  /** Time for each attempt, including the response body; default 30 s. */
  readonly timeoutMs?: number;
  /** Longest wait for a limit; calls that would wait longer fail at once. Default 2 min. */
  readonly maxWaitMs?: number;
  /** Waits for the reset when no requests remain, instead of causing a 429; default true. */
  readonly paceAhead?: boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Fills an array with random bytes. Default: Web Crypto. */
  readonly random?: Random;
}

const defaults: Required<ClientOptions> = {
  baseUrl: "",
  apiKey: "",
  fetch: (request) => globalThis.fetch(request),
  attempts: 5,
  timeoutMs: 30_000,
  maxWaitMs: 120_000,
  paceAhead: true,
  clock: systemClock,
  random: systemRandom,
};

/**
 * Returns all options. Throws a TypeError that names the first unknown or invalid one. The rules of `base/options.ts` would be
 * a fifth of the client, which pages of browsers load.
 */
export function optionsOf(given: ClientOptions): Required<ClientOptions> {
  if (typeof given !== "object" || given === null) {
    throw new TypeError("createClient needs options.");
  }
  // Inherited ones too, as those of a configuration class.
  for (const name in given) {
    if (!(name in defaults)) {
      const names = Object.keys(defaults).join(", ");
      throw new TypeError(
        `createClient: the option ${name.slice(0, 64)} does not exist. Its options are ${names}.`,
      );
    }
  }
  const options = { ...defaults };
  for (const [name, fallback] of Object.entries(defaults)) {
    if (name === "apiKey" && !(name in given)) continue;
    const value: unknown = Reflect.get(given, name) ?? fallback;
    const wanted = wantedOf(name, value, typeof fallback);
    // Values can be secret.
    if (wanted !== "") throw new TypeError(`createClient: the option ${name} must be ${wanted}.`);
    Reflect.set(options, name, value);
  }
  return options;
}

/** Returns what the value should be instead; empty if it is right. `kind` is the type of the default. */
function wantedOf(name: string, value: unknown, kind: string): string {
  const text = typeof value === "string" ? value : "";
  if (name === "baseUrl") {
    return /^https?:\/\/[^@?#]+$/.test(text) && URL.canParse(text)
      ? ""
      : "an address such as https://pets.example.org/v1";
  }
  if (name === "apiKey") return /^[!-~]+$/.test(text) ? "" : "the text of an API key";
  if (kind === "number") {
    const least = name === "maxWaitMs" ? 0 : 1;
    return Number.isSafeInteger(value) && Number(value) >= least
      ? ""
      : `an integer of at least ${least}`;
  }
  return typeof value === kind ? "" : `a ${kind}`;
}
