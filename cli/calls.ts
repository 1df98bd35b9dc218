import type { LocalClient } from "../lib/index.ts";

/** One call over the socket: a function of `LocalClient`, and its only argument. */
export interface Call {
  /** Of the calling program: both ends must be the same, for the shapes of arguments may differ. */
  readonly version: string;
  /** `keys.create` */
  readonly name: string;
  readonly argument?: unknown;
}

export type Reply =
  | { readonly kind: "value"; readonly value?: unknown }
  | { readonly kind: "other version"; readonly version: string }
  | { readonly kind: "unknown call" }
  /** The store cannot do it now. */
  | { readonly kind: "unavailable"; readonly message: string }
  | { readonly kind: "broken"; readonly message: string };

/** What a server says of itself to whoever reaches its socket. */
export interface ServerStatus {
  readonly version: string;
  readonly pid: number;
  readonly addresses: Addresses;
}

/** Where a server can be reached from this machine: `http://127.0.0.1:8080`. */
export interface Addresses {
  readonly production: string;
  readonly staging: string | undefined;
  readonly metrics: string | undefined;
}

type AnyCall = (argument: never) => Promise<unknown>;

/** The functions of a client by the names that calls use. */
export function callable(client: LocalClient): ReadonlyMap<string, AnyCall> {
  const found = new Map<string, AnyCall>();
  for (const [group, functions] of Object.entries(client)) {
    for (const [name, call] of Object.entries<AnyCall>(functions)) {
      found.set(`${group}.${name}`, call);
    }
  }
  return found;
}

/** A client whose functions are calls that `send` carries to the other side. */
export function clientOf(send: (name: string, argument: unknown) => Promise<unknown>): LocalClient {
  const via =
    <Value>(name: string) =>
    (argument?: unknown): Promise<Value> =>
      // Both ends are the same version, and outcomes are plain JSON.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      send(name, argument) as Promise<Value>;
  return {
    accounts: {
      create: via("accounts.create"),
      byId: via("accounts.byId"),
      list: via("accounts.list"),
      default: via("accounts.default"),
      rename: via("accounts.rename"),
      changePlan: via("accounts.changePlan"),
      suspend: via("accounts.suspend"),
      resume: via("accounts.resume"),
      delete: via("accounts.delete"),
    },
    keys: {
      create: via("keys.create"),
      list: via("keys.list"),
      rotate: via("keys.rotate"),
      revoke: via("keys.revoke"),
      unban: via("keys.unban"),
    },
    pets: { import: via("pets.import"), page: via("pets.page") },
    categories: { list: via("categories.list") },
  };
}
