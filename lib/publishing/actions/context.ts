import type { Clock } from "../../base/clock.ts";
import type { Random } from "../../base/id.ts";
import type { Log } from "../../base/log.ts";
import type { Store } from "../../storage/store.ts";
import type { Blobs } from "../blobs.ts";
import type { Compress } from "../compress.ts";
import type { Ingest } from "../ingest.ts";
import type { Making } from "../making.ts";
import type { ProjectStore } from "../project-store.ts";

/** What every action of publishing needs of the world. */
export interface PublishingContext {
  readonly store: Store;
  readonly projectStore: ProjectStore;
  readonly blobs: Blobs;
  readonly compress: Compress | undefined;
  readonly ingest: Ingest;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Slugs that no project may have, besides those that none ever may. */
  readonly reserved: readonly string[];
  readonly making: Making;
  /** Aborted when the service stops: what is being made is interrupted. */
  readonly stopping: AbortSignal;
  /** Drops what this process remembers of a project, so that the next visitor meets what it is now. */
  readonly forget: (projectId: string) => void;
}
