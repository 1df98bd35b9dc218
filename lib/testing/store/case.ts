import type { Store } from "../../storage/store.ts";

/** One promise of the port `Store`. Throws when it is broken. */
export interface StoreCase {
  readonly name: string;
  /** `open` makes an empty store each time it is called, and closes it after the case. */
  readonly run: (open: () => Promise<Store>) => Promise<void>;
}
