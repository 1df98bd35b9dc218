import { Traffic } from "../../lib/base/traffic.ts";
import type { Store } from "../../lib/storage/store.ts";

/** A store that can be broken and repaired. */
export interface FragileStore {
  readonly store: Store;
  fail(error: Error, when?: (method: string) => boolean): void;
  hold(method: string): () => void;
  mend(): void;
}

type Method = (...args: readonly unknown[]) => unknown;

/** Wraps a store with a gate before each of its methods: `pets.list`, `commit`, … */
export function fragile(store: Store): FragileStore {
  let fault: { readonly error: Error; readonly when: (method: string) => boolean } | undefined;
  const held = new Map<string, Promise<void>>();

  const gate =
    (name: string, method: Method, owner: object): Method =>
    (...args) => {
      if (fault?.when(name)) {
        // Like real stores: reads throw or reject, writes reject.
        if (name === "commit") return Promise.reject(fault.error);
        throw fault.error;
      }
      const wait = held.get(name);
      const call = (): unknown => Reflect.apply(method, owner, args);
      return wait === undefined ? call() : wait.then(call);
    };

  const guard = (owner: object, prefix: string): unknown =>
    new Proxy(owner, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property);
        const name = prefix + String(property);
        // Kept in memory: no call of the database.
        if (value instanceof Traffic) return value;
        if (typeof value === "function") return gate(name, value as Method, target);
        return typeof value === "object" && value !== null ? guard(value, `${name}.`) : value;
      },
    });

  return {
    // The proxy implements every method of the store.
    store: guard(store, "") as Store,
    fail: (error, when = () => true) => {
      fault = { error, when };
    },
    hold: (method) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(method, promise);
      return () => {
        held.delete(method);
        resolve();
      };
    },
    mend: () => {
      fault = undefined;
    },
  };
}
