import { join } from "node:path";
import { nodeDigest } from "../adapters/hosts/node.ts";
import { bunSqliteStore } from "../adapters/sqlite/bun.ts";
import { createPetstore, type Petstore } from "../lib/index.ts";
import type { Store } from "../lib/storage/store.ts";
import { animals } from "./animals.ts";

/** The service in this process with its own database. */
export interface OpenService extends AsyncDisposable {
  readonly service: Petstore;
  readonly store: Store;
  /** The API key of its only catalogue. */
  readonly token: string;
}

/** The largest limits, so that no request is refused. */
export const LIMITS = { perMinute: 1_000_000_000, perDay: 1_000_000_000 };
const IMPORTED_AT_ONCE = 1_000;

/** Opens a new database in `directory` and adds animals; `wrap` may change the store's behaviour. */
export async function openService(
  directory: string,
  count: number,
  wrap: (store: Store) => Store = (store) => store,
): Promise<OpenService> {
  const store = wrap(await bunSqliteStore({ path: join(directory, "service.sqlite") }));
  const service = createPetstore({ store, digest: nodeDigest });
  const account = valueOf(
    await service.client.accounts.create({ name: "Bench", plan: "enterprise", limits: LIMITS }),
  );
  const { token } = valueOf(await service.client.keys.create({ accountId: account.id }));
  const rows = animals(count);
  for (let at = 0; at < rows.length; at += IMPORTED_AT_ONCE) {
    const some = rows.slice(at, at + IMPORTED_AT_ONCE);
    valueOf(await service.client.pets.import({ accountId: account.id, rows: some }));
  }
  return {
    service,
    store,
    token,
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await store.close();
    },
  };
}

/** Returns the value of a result that cannot be refused. */
export function valueOf<Value>(
  result: { readonly ok: true; readonly value: Value } | { readonly ok: false },
): Value {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result)}`);
  return result.value;
}
