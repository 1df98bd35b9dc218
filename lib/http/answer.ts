import { blobResponse, withLines } from "../base/blob-response.ts";
import { crc32 } from "../base/digest.ts";
import { pick, secondsUntilReset, type LimitStatus, type ReportedWindow } from "../model/window.ts";

/** The values of the rate-limit headers. */
interface LimitHeaders {
  /** `X-RateLimit-Limit`; like the next two, of the window with the fewest requests left. */
  readonly limit: number;
  /** `X-RateLimit-Remaining`. */
  readonly remaining: string;
  /** `X-RateLimit-Reset`: a Unix timestamp in seconds. */
  readonly reset: number;
  /** `RateLimit`: the remaining requests and seconds of every window. */
  readonly rateLimit: string;
  /** `RateLimit-Policy`: the limit and the length in seconds of every window. */
  readonly policy: string;
}

/** Returns the rate-limit headers of a verdict; the last two follow draft-ietf-httpapi-ratelimit-headers-10. */
export function limitHeaders({ at, windows }: LimitStatus): LimitHeaders {
  const picked = pick(windows);
  let remaining = "";
  let rateLimit = "";
  for (const window of windows) {
    const left = String(window.remaining);
    if (window === picked) remaining = left;
    if (rateLimit !== "") rateLimit += ", ";
    rateLimit += `"${window.name}";r=${left};t=${secondsUntilReset(window, at)}`;
  }
  return {
    limit: picked.limit,
    remaining,
    reset: picked.resetsAt / 1_000,
    rateLimit,
    policy: policyOf(windows),
  };
}

interface KeptPolicy {
  readonly second: Pick<ReportedWindow, "name" | "limit"> | undefined;
  readonly text: string;
}

/** Policies by the minute's limit, negated if it is the only window. Bounded because agreed limits can change. */
const policies = new Map<number, KeptPolicy>();
const MAX_POLICIES = 1_000;

function policyOf(windows: LimitStatus["windows"]): string {
  const [first, second] = windows;
  const key = second === undefined ? -first.limit : first.limit;
  const kept = policies.get(key);
  if (
    kept !== undefined &&
    kept.second?.limit === second?.limit &&
    kept.second?.name === second?.name
  ) {
    return kept.text;
  }
  const text = windows
    .map(({ name, limit, lengthSeconds }) => `"${name}";q=${limit};w=${lengthSeconds}`)
    .join(", ");
  if (policies.size >= MAX_POLICIES) policies.clear();
  policies.set(key, { second, text });
  return text;
}

/** The name `BodyInit` exists only with the DOM's types. */
type Body = NonNullable<ConstructorParameters<typeof Response>[0]> | null;

/**
 * Header fields that many responses share. Copying all of them is much faster than writing them one by one. The shared
 * `Headers` never leave this class, because some responses (@hono/node-server) keep them by reference; each response gets
 * its own copy.
 */
export class HeaderTemplate {
  protected readonly shared: Headers;
  /** The fields of the template as lines. */
  protected readonly lines: string;
  /** The number of fields of the template. */
  protected readonly count: number;

  constructor(fields: Readonly<Record<string, string>>) {
    this.shared = new Headers(fields);
    this.lines = linesOfAll([fields]);
    this.count = Object.keys(fields).length;
  }

  has(name: string): boolean {
    return this.shared.has(name);
  }

  get(name: string): string | null {
    return this.shared.get(name);
  }

  /** Returns headers that belong to the caller. */
  copy(): Headers {
    return new Headers(this.shared);
  }

  /** Makes a response with these headers. They belong to the caller. */
  respond(body: Body, status: number): Response {
    return blobResponse(body, { status, headers: responsesCopy() ? this.shared : this.copy() });
  }
}

/** The request of a response, as the headers report it. */
interface Reported {
  readonly requestId: string;
  readonly verdict: LimitStatus;
}

/**
 * A template that also holds the headers which every response has with values of its own. The next response overwrites
 * them, and those of the limits only when a window ends or the plan changes.
 */
export class ReadyHeaders extends HeaderTemplate {
  #limit = -1;
  #reset = -1;
  #policy = "";

  /** Makes a response with `fields` beside the headers of the template. Its headers belong to the caller. */
  response(
    body: Body,
    status: number,
    { requestId, verdict }: Reported,
    fields: readonly (HeaderFields | undefined)[] = [],
  ): Response {
    const { shared } = this;
    const { remaining, rateLimit, limit, reset, policy } = limitHeaders(verdict);
    shared.set("x-request-id", requestId);
    shared.set("x-ratelimit-remaining", remaining);
    shared.set("ratelimit", rateLimit);
    if (limit !== this.#limit || reset !== this.#reset || policy !== this.#policy) {
      this.#limit = limit;
      this.#reset = reset;
      this.#policy = policy;
      shared.set("x-ratelimit-limit", String(limit));
      shared.set("x-ratelimit-reset", String(reset));
      shared.set("ratelimit-policy", policy);
    }
    if (responsesCopy()) {
      const response = blobResponse(body, { status, headers: shared });
      let count = this.count + OF_EACH;
      for (const more of fields) {
        addFields(response, more);
        for (const name in more) count += this.has(name) ? Number.NaN : 1;
      }
      return withLines(response, () => ({
        count,
        shared: this.lines,
        own: `x-request-id: ${requestId}\r\nx-ratelimit-remaining: ${remaining}\r\nratelimit: ${rateLimit}\r\nx-ratelimit-limit: ${limit}\r\nx-ratelimit-reset: ${reset}\r\nratelimit-policy: ${policy}\r\n${linesOfAll(fields)}`,
      }));
    }
    const headers = this.copy();
    for (const more of fields) addFields({ headers }, more);
    return blobResponse(body, { status, headers });
  }
}

/** Fields with values of each response. */
const OF_EACH = 6;

function linesOfAll(all: readonly (HeaderFields | undefined)[]): string {
  let lines = "";
  for (const fields of all) {
    for (const name in fields) lines += `${name}: ${fields[name]}\r\n`;
  }
  return lines;
}

function addFields(to: { readonly headers: Headers }, fields: HeaderFields | undefined): void {
  for (const name in fields) {
    const value = fields[name] ?? "";
    // Each cookie has a field of its own (RFC 6265 §3).
    if (name === "set-cookie") to.headers.append(name, value);
    else to.headers.set(name, value);
  }
}

let judged: typeof Response | undefined;
let copies = false;

/**
 * Whether a response copies the `Headers` that it is made of, as the Fetch standard says, so that we need not. Only a
 * native one is trusted: others may keep the `Headers`, or lose what is written into `response.headers`.
 */
function responsesCopy(): boolean {
  if (Response !== judged) {
    judged = Response;
    copies = Function.prototype.toString.call(Response).includes("[native code]");
  }
  return copies;
}

export const JSON_TYPE = "application/json; charset=utf-8";

export type HeaderFields = Readonly<Record<string, string>>;

/** The answer to a successful request, before the headers that all answers share. */
export interface Answer {
  readonly status: 200 | 201 | 202 | 204;
  /** JSON text; absent with 204. */
  readonly body?: string;
  /** Includes its quotes. */
  readonly etag?: string | undefined;
  /** Such as `Link`, `Location`, `X-Total-Count`. */
  readonly headers?: HeaderFields;
  /** True if caching is not worth it: making it again costs little, and few clients request it twice. */
  readonly fleeting?: true | undefined;
  /** The day on which the answer depends besides the catalogue. Absent: none. */
  readonly day?: string | undefined;
}

declare const encoded: unique symbol;

/** JSON text of a value of this type; only `encode` and `encodeList` make it. */
export type Encoded<Value> = string & { readonly [encoded]: Value };

/** An answer whose body is the JSON text of a value of this type. */
export type AnswerOf<Value> = Omit<Answer, "body"> &
  ([Value] extends [undefined] ? { readonly body?: never } : { readonly body: Encoded<Value> });

/** Returns the JSON text of a value. */
export function encode<Value extends object>(value: Value): Encoded<Value> {
  // JSON.stringify returns the JSON text of the value.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.stringify(value) as Encoded<Value>;
}

/** Returns the JSON text of a list, from the texts of its items. */
export function encodeList<Item>(items: readonly Encoded<Item>[]): Encoded<readonly Item[]> {
  return encodedList(items.join(","));
}

/** Returns the JSON text of a list, from the texts of its items with commas between. */
export function encodedList<Item>(joined: string): Encoded<readonly Item[]> {
  // The texts of the items make up the text of the list.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return `[${joined}]` as Encoded<readonly Item[]>;
}

/** A cached answer, whose headers are prepared when it is sent for the second time. */
export interface KeptAnswer extends Answer {
  readonly ready?: ReadyHeaders;
  /** The body of a large answer, which responses share instead of copying it. */
  readonly blob?: Blob;
}

/** The headers of an API's answers. */
export interface Style {
  readonly cacheable: HeaderFields;
  readonly withoutBody: ReadyHeaders;
  readonly withJson: ReadyHeaders;
  readonly refusing: ReadyHeaders;
  /** Sent with 204 to OPTIONS, beside `Allow`. */
  readonly preflight: (allow: string) => HeaderFields;
  /** Compresses every answer, not only the document. */
  readonly compresses: boolean;
}

export function styleOf({
  common,
  compresses,
  preflight = () => ({}),
}: {
  readonly common: HeaderFields;
  readonly compresses: boolean;
  readonly preflight?: (allow: string) => HeaderFields;
}): Style {
  const cacheable = { ...common, "cache-control": "private, no-cache" };
  return {
    cacheable,
    withoutBody: new ReadyHeaders(cacheable),
    withJson: new ReadyHeaders({ ...cacheable, "content-type": JSON_TYPE }),
    refusing: new ReadyHeaders({ ...common, "cache-control": "no-store" }),
    preflight,
    compresses,
  };
}

/** Returns the answer with its headers prepared. */
export function readyAnswer({ cacheable }: Style, answer: KeptAnswer): KeptAnswer {
  if (answer.ready !== undefined) return answer;
  const type = answer.body === undefined ? undefined : { "content-type": JSON_TYPE };
  return { ...answer, ready: new ReadyHeaders({ ...cacheable, ...type, ...ownHeaders(answer) }) };
}

export function ownHeaders({ etag, headers }: Answer): HeaderFields {
  return etag === undefined ? { ...headers } : { ...headers, etag };
}

/** Returns a weak tag of a body. Collisions are possible but negligible. */
export function bodyEtag(body: string): string {
  return `W/"${body.length.toString(36)}-${crc32(body).toString(36)}"`;
}
