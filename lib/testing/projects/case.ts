import type { ProjectStore } from "../../publishing/project-store.ts";
import type { Store } from "../../storage/store.ts";

/** Both over the same database. */
export interface ProjectStores {
  readonly store: Store;
  readonly projectStore: ProjectStore;
}

/** One promise of the port `ProjectStore`. Throws when it is broken. */
export interface ProjectStoreCase {
  /** A sentence that can be false. */
  readonly name: string;
  /** `open` makes empty stores each time it is called, and closes them after the case. */
  readonly run: (open: () => Promise<ProjectStores>) => Promise<void>;
}
