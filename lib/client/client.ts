import { systemClock, type Clock } from "../base/clock.ts";
import { randomBase62, systemRandom, type Random } from "../base/id.ts";
import type { Category, Pet } from "../catalogue/model.ts";
import type { PublicOperations } from "../endpoints.ts";
import type { InputOf, ItemOf } from "../http/operation.ts";
import type { SentQueryOf } from "../http/parameters.ts";
import { PetstoreError } from "./failure.ts";
import { listing, search, type CallOptions, type Listing, type ListQuery } from "./listing.ts";
import { Pace } from "./pace.ts";
import { sender, type Call } from "./send.ts";

/** Something with the `etag` that a later `ifMatch` takes. */
export type Tagged<Thing> = Thing & { readonly etag: string };

type Operations = PublicOperations;
type Output<Name extends keyof Operations> = Operations[Name]["output"];

export type NewPetInput = Operations["POST /pets"]["body"];

/** The fields to change. */
export type PetPatch = Operations["PATCH /pets/:petId"]["body"];

export type PetQuery = SentQueryOf<Operations["GET /pets"]["query"]>;

export type Order = ItemOf<Output<"GET /store/orders">>;

export type OrderQuery = SentQueryOf<Operations["GET /store/orders"]["query"]>;

export type RateLimit = Output<"GET /rate-limit">;

export type RateWindow = RateLimit["minute"];

export interface WriteOptions extends CallOptions {
  /** Default: a fresh one per call, so that attempts at one call have one effect. */
  readonly idempotencyKey?: string;
}

export interface Condition {
  /** The `etag` that the change was decided on; another version is refused with `precondition_failed`. */
  readonly ifMatch?: string;
}

/** Every operation of the API. Rejects with `PetstoreError`, `PetstoreUnreachable` or the reason of the signal. */
export interface Client {
  readonly pets: Listing<Pet, PetQuery> & {
    create(pet: NewPetInput, options?: WriteOptions): Promise<Tagged<Pet>>;
    /** Undefined when there is no such animal. Asks `GET /pets?id=`, which outlives `GET /pets/{petId}`. */
    get(id: number, options?: CallOptions): Promise<Tagged<Pet> | undefined>;
    update(id: number, patch: PetPatch, options?: WriteOptions & Condition): Promise<Tagged<Pet>>;
    delete(id: number, options?: CallOptions & Condition): Promise<void>;
    /** Brings back what was deleted within 48 hours. */
    restore(id: number, options?: WriteOptions): Promise<Tagged<Pet>>;
  };
  readonly categories: Listing<Category, ListQuery> & {
    create(category: { readonly name: string }, options?: WriteOptions): Promise<Tagged<Category>>;
    /** Undefined when there is no such category. */
    get(id: number, options?: CallOptions): Promise<Tagged<Category> | undefined>;
    update(
      id: number,
      patch: { readonly name?: string },
      options?: WriteOptions & Condition,
    ): Promise<Tagged<Category>>;
    delete(id: number, options?: CallOptions & Condition): Promise<void>;
  };
  readonly orders: Listing<Order, OrderQuery>;
  /** What is left of the limits. Costs nothing. */
  rateLimit(options?: CallOptions): Promise<RateLimit>;
}

export interface ClientOptions {
  /** With the version prefix: `https://pets.example.org/v1`. */
  readonly baseUrl: string;
  /** A secret: in a browser everybody can read it. */
  readonly apiKey: string;
  /** Default: the global one. */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
  /** How often a call is tried before its last failure is thrown; default 5. */
  readonly attempts?: number;
  /** For each attempt, its body included; default 30 s. */
  readonly timeoutMs?: number;
  /** The longest wait for a limit; what would take longer is refused at once; default 2 min. */
  readonly maxWaitMs?: number;
  /** Waits for the reset once nothing remains, instead of running into the 429; default true. */
  readonly paceAhead?: boolean;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** A client for one API key. All that goes through it shares its pace. Throws TypeError for an address or a key that cannot be one. */
export function createClient({
  baseUrl,
  apiKey,
  fetch = (request) => globalThis.fetch(request),
  attempts = 5,
  timeoutMs = 30_000,
  maxWaitMs = 120_000,
  paceAhead = true,
  clock = systemClock,
  random = systemRandom,
}: ClientOptions): Client {
  if (!/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new TypeError(`baseUrl must begin with https:// or http://, not as "${baseUrl}" does.`);
  }
  if (!/^[!-~]+$/.test(apiKey)) throw new TypeError("apiKey must be the text of an API key.");
  const base = baseUrl.replace(/\/+$/, "");
  const pace = new Pace({ clock, maxWaitMs, ahead: paceAhead });
  const send = sender({ fetch, apiKey, clock, random, pace, attempts, timeoutMs, maxWaitMs });

  /** Calls an operation. Its declaration is the type of the input and of the answer. */
  const call = async <Name extends keyof Operations>(
    operation: Name,
    input: InputOf<Operations[Name]>,
    options: Pick<Call, "headers" | "signal" | "free"> = {},
  ): Promise<Answered<Output<Name>>> => {
    const { method, path, query, body } = requestOf(operation, input);
    const url = base + path + search(query);
    const { headers, text } = await send({ method, url, body, ...options });
    const value: Output<Name> = text === "" ? undefined : JSON.parse(text);
    return { value, etag: headers.get("etag") ?? "" };
  };

  const writing = ({ idempotencyKey, ...options }: WriteOptions & Condition = {}): Conditions => {
    const { headers, signal } = conditions(options);
    const key = idempotencyKey ?? randomBase62(random, 22);
    return { headers: { "idempotency-key": key, ...headers }, signal };
  };

  return {
    pets: {
      ...listing(send, base, "GET /pets"),
      create: async (body, options) => tagged(await call("POST /pets", { body }, writing(options))),
      get: async (id, options) => {
        const { value, etag } = await call("GET /pets", { query: { id } }, conditions(options));
        const [pet] = value;
        return pet && { ...pet, etag };
      },
      update: async (id, body, options) => {
        const petId = String(id);
        return tagged(await call("PATCH /pets/:petId", { petId, body }, writing(options)));
      },
      delete: async (id, options) => {
        await call("DELETE /pets/:petId", { petId: String(id) }, conditions(options));
      },
      restore: async (id, options) => {
        const petId = String(id);
        return tagged(await call("POST /pets/:petId/restore", { petId }, writing(options)));
      },
    },
    categories: {
      ...listing(send, base, "GET /categories"),
      create: async (body, options) =>
        tagged(await call("POST /categories", { body }, writing(options))),
      get: async (id, options) => {
        const categoryId = String(id);
        try {
          return tagged(
            await call("GET /categories/:categoryId", { categoryId }, conditions(options)),
          );
        } catch (error) {
          if (error instanceof PetstoreError && error.code === "not_found") return undefined;
          throw error;
        }
      },
      update: async (id, body, options) => {
        const categoryId = String(id);
        const input = { categoryId, body };
        return tagged(await call("PATCH /categories/:categoryId", input, writing(options)));
      },
      delete: async (id, options) => {
        const categoryId = String(id);
        await call("DELETE /categories/:categoryId", { categoryId }, conditions(options));
      },
    },
    orders: listing(send, base, "GET /store/orders"),
    rateLimit: async ({ signal } = {}) =>
      (await call("GET /rate-limit", {}, { free: true, signal })).value,
  };
}

/** The value of an answer, and its `ETag`; empty without one. */
interface Answered<Value> {
  readonly value: Value;
  readonly etag: string;
}

function tagged<Thing extends object>({ value, etag }: Answered<Thing>): Tagged<Thing> {
  return { ...value, etag };
}

type Conditions = Pick<Call, "headers" | "signal">;

function conditions({ signal, ifMatch }: CallOptions & Condition = {}): Conditions {
  return { headers: ifMatch === undefined ? {} : { "if-match": ifMatch }, signal };
}

/** What `requestOf` reads of any operation's input. */
type AnyInput = Readonly<Record<string, unknown>> & { readonly query?: object };

function requestOf(
  operation: string,
  { query, body, ...names }: AnyInput,
): Pick<Call, "method" | "body"> & { readonly path: string; readonly query: object | undefined } {
  const [method = "", path = ""] = operation.split(" ");
  return {
    method,
    path: path.replaceAll(/:(\w+)/g, (_whole, name: string) => String(names[name])),
    query,
    body,
  };
}
