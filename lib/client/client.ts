import { systemClock, type Clock } from "../base/clock.ts";
import { randomBase62, systemRandom, type Random } from "../base/id.ts";
import type { Plan } from "../model/account.ts";
import type { Category, OrderStatus, Pet, PetStatus } from "../catalogue/model.ts";
import { PetstoreError, type Reply } from "./failure.ts";
import { listing, search, type CallOptions, type Listing, type ListQuery } from "./listing.ts";
import { Pace } from "./pace.ts";
import { sender, type Call } from "./send.ts";

/** Something with the `etag` that a later `ifMatch` takes. */
export type Tagged<Thing> = Thing & { readonly etag: string };

export interface NewPetInput {
  readonly name: string;
  readonly categoryId: number;
  /** Default `available`. */
  readonly status?: PetStatus;
}

/** The fields to change. */
export type PetPatch = Partial<NewPetInput>;

export interface PetQuery extends ListQuery {
  readonly status?: PetStatus;
  readonly categoryId?: number;
  /** Only these, at most 100. */
  readonly id?: number | readonly number[];
}

export interface Order {
  readonly id: number;
  readonly petId: number;
  readonly status: OrderStatus;
  /** RFC 3339. */
  readonly createdAt: string;
}

export interface OrderQuery extends ListQuery {
  readonly petId?: number;
  readonly status?: OrderStatus;
}

export interface RateWindow {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the whole limit is there again. */
  readonly reset: number;
}

export interface RateLimit {
  readonly plan: Plan;
  readonly minute: RateWindow;
  readonly day: RateWindow;
  /** Unix seconds until which the key is banned. */
  readonly bannedUntil: number | null;
}

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

  const write = async <Thing>(
    method: "POST" | "PATCH",
    path: string,
    body: unknown,
    { signal, idempotencyKey, ifMatch }: WriteOptions & Condition = {},
  ): Promise<Tagged<Thing>> => {
    const headers = {
      "idempotency-key": idempotencyKey ?? randomBase62(random, 22),
      ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
    };
    return tagged<Thing>(await send({ method, url: base + path, body, headers, signal }));
  };

  const remove = async (
    path: string,
    { signal, ifMatch }: CallOptions & Condition = {},
  ): Promise<void> => {
    const headers: Call["headers"] = ifMatch === undefined ? {} : { "if-match": ifMatch };
    await send({ method: "DELETE", url: base + path, headers, signal });
  };

  return {
    pets: {
      ...listing<Pet, PetQuery>(send, `${base}/pets`),
      create: (pet, options) => write("POST", "/pets", pet, options),
      get: async (id, { signal } = {}) => {
        const reply = await send({ method: "GET", url: `${base}/pets${search({ id })}`, signal });
        const [pet]: readonly Pet[] = JSON.parse(reply.text);
        return pet && { ...pet, etag: etagOf(reply) };
      },
      update: (id, patch, options) => write("PATCH", `/pets/${id}`, patch, options),
      delete: (id, options) => remove(`/pets/${id}`, options),
      restore: (id, options) => write("POST", `/pets/${id}/restore`, undefined, options),
    },
    categories: {
      ...listing<Category, ListQuery>(send, `${base}/categories`),
      create: (category, options) => write("POST", "/categories", category, options),
      get: async (id, { signal } = {}) => {
        try {
          return tagged(await send({ method: "GET", url: `${base}/categories/${id}`, signal }));
        } catch (error) {
          if (error instanceof PetstoreError && error.code === "not_found") return undefined;
          throw error;
        }
      },
      update: (id, patch, options) => write("PATCH", `/categories/${id}`, patch, options),
      delete: (id, options) => remove(`/categories/${id}`, options),
    },
    orders: listing<Order, OrderQuery>(send, `${base}/store/orders`),
    rateLimit: async ({ signal } = {}) => {
      const { text } = await send({ method: "GET", url: `${base}/rate-limit`, free: true, signal });
      const limits: RateLimit = JSON.parse(text);
      return limits;
    },
  };
}

function tagged<Thing>(reply: Reply): Tagged<Thing> {
  const thing: Thing = JSON.parse(reply.text);
  return { ...thing, etag: etagOf(reply) };
}

function etagOf({ headers }: Reply): string {
  return headers.get("etag") ?? "";
}
