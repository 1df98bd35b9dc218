import { segment } from "../base/segment.ts";
import type { Category, Pet } from "../catalogue/model.ts";
import type { PublicOperations } from "../endpoints.ts";
import type { InputOf, ItemOf } from "../http/operation.ts";
import type { SentQueryOf } from "../http/parameters.ts";
import { hintAt } from "./address.ts";
import { isMissing } from "./failure.ts";
import { listing, search, type CallOptions, type Listing, type ListQuery } from "./listing.ts";
import { optionsOf, type ClientOptions } from "./options.ts";
import { createPace } from "./pace.ts";
import { sender, type SentRequest } from "./send.ts";

/** A resource with its `etag`, for a later `ifMatch`. */
export type Tagged<Thing> = Thing & { readonly etag: string };

type Operations = PublicOperations;
type Output<Name extends keyof Operations> = Operations[Name]["output"];

/** The operations that answer with one object. */
type OneOf = {
  [Name in keyof Operations]: Output<Name> extends { readonly id: number } ? Name : never;
}[keyof Operations];

/** The body of `POST /pets`. */
export type NewPetInput = Operations["POST /pets"]["body"];

/** The fields to change. */
export type PetPatch = Operations["PATCH /pets/:petId"]["body"];

/** The query of a list of animals. */
export type PetQuery = SentQueryOf<Operations["GET /pets"]["query"]>;

/** An order, as the API returns it. */
export type Order = ItemOf<Output<"GET /store/orders">>;

/** The query of a list of orders. */
export type OrderQuery = SentQueryOf<Operations["GET /store/orders"]["query"]>;

/** The limits of a key and what is left of them. */
export type RateLimit = Output<"GET /rate-limit">;

/** A window of a limit. */
export type RateWindow = RateLimit["minute"];

/** Options of a call that writes. */
export interface WriteOptions extends CallOptions {
  /** Default: a new one for each call, so that all attempts of a call have one effect. */
  readonly idempotencyKey?: string;
}

/** The condition of a write. */
export interface Condition {
  /** The `etag` of the version to change; any other version is refused with `precondition_failed`. */
  readonly ifMatch?: string;
}

/** Every operation of the API. Rejects with `PetstoreError`, `PetstoreUnreachable` or the reason of the signal. */
export interface Client {
  readonly pets: Listing<Pet, PetQuery> & {
    create(pet: NewPetInput, options?: WriteOptions): Promise<Tagged<Pet>>;
    /** Undefined if there is no such animal. Uses `GET /pets?id=`, because `GET /pets/{petId}` is deprecated. */
    get(id: number, options?: CallOptions): Promise<Tagged<Pet> | undefined>;
    update(id: number, patch: PetPatch, options?: WriteOptions & Condition): Promise<Tagged<Pet>>;
    delete(id: number, options?: CallOptions & Condition): Promise<void>;
    /** Restores an animal that was deleted less than 48 hours ago. */
    restore(id: number, options?: WriteOptions): Promise<Tagged<Pet>>;
  };
  readonly categories: Listing<Category, ListQuery> & {
    create(category: { readonly name: string }, options?: WriteOptions): Promise<Tagged<Category>>;
    /** Undefined if there is no such category. */
    get(id: number, options?: CallOptions): Promise<Tagged<Category> | undefined>;
    update(
      id: number,
      patch: { readonly name?: string },
      options?: WriteOptions & Condition,
    ): Promise<Tagged<Category>>;
    delete(id: number, options?: CallOptions & Condition): Promise<void>;
  };
  readonly orders: Listing<Order, OrderQuery>;
  /** Returns the remaining requests. Costs nothing. */
  rateLimit(options?: CallOptions): Promise<RateLimit>;
  /** Calls any operation by its method and path, such as `"GET /pets/:petId"`. */
  call<Name extends keyof Operations>(
    operation: Name,
    input: InputOf<Operations[Name]>,
    options?: WriteOptions & Condition,
  ): Promise<Received<Output<Name>>>;
}

/** The value of an answer, undefined without a body, and its `etag`, empty without one. */
export interface Received<Value> {
  readonly value: Value;
  readonly etag: string;
}

/** Creates a client for one API key. Its calls share one pace. Throws TypeError for an invalid address or key. */
export function createClient(given: ClientOptions): Client {
  const settings = optionsOf(given);
  const { baseUrl, clock, random, maxWaitMs, paceAhead } = settings;
  const base = baseUrl.replace(/\/+$/, "");
  const pace = createPace({ clock, maxWaitMs, ahead: paceAhead });
  const send = sender({ ...settings, pace, hint: hintAt(base) });

  const call: Client["call"] = async (operation, input, options = {}) => {
    const { method, path, query, body } = requestOf(operation, input);
    const { idempotencyKey = random(new Uint8Array(16)).join("-"), ifMatch, signal } = options;
    const { headers, text } = await send({
      method,
      url: base + path + search(query),
      body,
      headers: {
        ...(method.startsWith("P") ? { "idempotency-key": idempotencyKey } : {}),
        ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
      },
      signal,
      free: operation === "GET /rate-limit",
    });
    return { value: text ? JSON.parse(text) : undefined, etag: headers.get("etag") ?? "" };
  };
  const one = async <Name extends OneOf>(
    operation: Name,
    input: InputOf<Operations[Name]>,
    options?: WriteOptions & Condition,
  ): Promise<Tagged<Output<Name>>> => {
    const { value, etag } = await call(operation, input, options);
    return { ...value, etag };
  };

  return {
    pets: {
      ...listing(send, base, "GET /pets"),
      create: (body, options) => one("POST /pets", { body }, options),
      get: async (id, options) => {
        const { value, etag } = await call("GET /pets", { query: { id: checked(id) } }, options);
        const [pet] = value;
        return pet && { ...pet, etag };
      },
      update: async (id, body, options) =>
        one("PATCH /pets/:petId", { petId: `${checked(id)}`, body }, options),
      delete: async (id, options) => {
        await call("DELETE /pets/:petId", { petId: `${checked(id)}` }, options);
      },
      restore: async (id, options) =>
        one("POST /pets/:petId/restore", { petId: `${checked(id)}` }, options),
    },
    categories: {
      ...listing(send, base, "GET /categories"),
      create: (body, options) => one("POST /categories", { body }, options),
      get: async (id, options) =>
        one("GET /categories/:categoryId", { categoryId: `${checked(id)}` }, options).catch(
          (error: unknown) => {
            if (isMissing(error)) return undefined;
            throw error;
          },
        ),
      update: async (id, body, options) =>
        one("PATCH /categories/:categoryId", { categoryId: `${checked(id)}`, body }, options),
      delete: async (id, options) => {
        await call("DELETE /categories/:categoryId", { categoryId: `${checked(id)}` }, options);
      },
    },
    orders: listing(send, base, "GET /store/orders"),
    rateLimit: async (options) => (await call("GET /rate-limit", {}, options)).value,
    call,
  };
}

/** Throws for an animal instead of its ID, of which `get` would say that it does not exist, and for none. */
function checked(id: number): number {
  // False also for what is no number.
  if (!(id >= 0)) throw new TypeError("An ID must be a number.");
  return id;
}

/** What `requestOf` reads of any operation's input. */
type AnyInput = Readonly<Record<string, unknown>> & { readonly query?: object };

function requestOf(
  operation: string,
  { query, body, ...names }: AnyInput,
): Pick<SentRequest, "method" | "body"> & {
  readonly path: string;
  readonly query: object | undefined;
} {
  const [method = "", path = ""] = operation.split(" ");
  return {
    method,
    path: path.replaceAll(/:(\w+)/g, (_whole, name: string) => segment(String(names[name]))),
    query,
    body,
  };
}
