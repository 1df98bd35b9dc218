import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../base/clock.ts";
import { createRounds, type Jobs, type TakeTurn } from "../base/rounds.ts";
import { system } from "../model/actor.ts";
import { followFeed } from "../storage/feed.ts";
import type { Store } from "../storage/store.ts";
import type { PublishingContext } from "./actions/context.ts";
import { expireSurplus } from "./actions/make-deploy.ts";
import { interrupted } from "./actions/receive-archive.ts";
import type { Blobs } from "./blobs.ts";
import { INTERRUPTED_AFTER_MS } from "./model/deploy.ts";
import { PROJECT_RESTORE_MS } from "./model/project.ts";
import type { CommitProjects, ProjectStore } from "./project-store.ts";
import type { RememberedSites } from "./sites.ts";

const INTERRUPTED_EVERY_MS: number = 10 * SECOND_MS;
const PURGE_EVERY_MS: number = MINUTE_MS;
/** Collecting lists every blob. */
const COLLECT_EVERY_MS: number = HOUR_MS;
/** Rows per commit and commits per round: small, so that other writers do not wait long; many, to keep up with any load. */
const RELEASE_ROWS = 500;
const RELEASE_SLICES = 1_000;
/** Rows per query; later rounds find the rest. */
const BATCH = 100;

/** Creates the background jobs of publishing. */
export function publishingJobs({
  store,
  projectStore,
  blobs,
  sites,
  alone,
  takeTurn,
  clock,
  log,
}: Pick<PublishingContext, "blobs" | "clock" | "log"> & {
  readonly store: Store;
  readonly projectStore: ProjectStore;
  readonly sites: RememberedSites;
  /** True if no other process uses the store, so that every deploy last touched before now was interrupted. */
  readonly alone: boolean;
  readonly takeTurn?: TakeTurn | undefined;
}): Jobs {
  const commit: CommitProjects = (changes) => projectStore.commit(changes, system);
  const readFeed = followFeed(store, () => clock.now(), {
    ...sites,
    forget: (topic, subject) => {
      if (topic === "project" || topic === "account") sites.forget(topic, subject);
    },
  });

  const beganAt = alone ? clock.now() : -Infinity;

  const endInterrupted = async (): Promise<void> => {
    const at = clock.now();
    // After a jump of the clock, a deploy in progress looks as if it had stopped long ago.
    const jumped = store.clock?.pause()?.reason === "clock_jumped";
    const touchedBefore = jumped ? beganAt : Math.max(beganAt, at - INTERRUPTED_AFTER_MS);
    for (const { id, projectId } of await projectStore.deploys.stalled(touchedBefore, BATCH)) {
      const expired = await expireSurplus(projectStore, { projectId, endingId: id, at });
      // Refused if the deploy was touched or ended in the meantime.
      await commit([
        { kind: "deploy.fail", deployId: id, failure: interrupted, touchedBefore, at },
        ...expired,
      ]);
    }
  };

  const purge = async (): Promise<void> => {
    const now = clock.now();
    // An hour late, so that a clock difference does not purge a restorable project.
    const deletedBefore = now - PROJECT_RESTORE_MS - HOUR_MS;
    for (const projectId of await projectStore.projects.purgeable(deletedBefore, BATCH)) {
      // One by one, because a deploy can have thousands of rows and other writers should not wait long.
      for (const { id: deployId } of await projectStore.deploys.list(projectId, BATCH)) {
        await commit([{ kind: "deploy.purge", projectId, deployId, deletedBefore }]);
      }
      // Refused while deploys remain; the next round removes them.
      await commit([{ kind: "project.purge", projectId, deletedBefore }]);
    }
    await commit([{ kind: "slugs.purge", now, limit: BATCH }]);
  };

  const release = async (): Promise<void> => {
    for (let slice = 0; slice < RELEASE_SLICES; slice++) {
      const deployId = await projectStore.blobs.unreleased();
      if (deployId === undefined) return;
      await commit([{ kind: "deploy.release", deployId, limit: RELEASE_ROWS }]);
    }
  };

  const collect = async (): Promise<void> => {
    const removed = await collectBlobs({ blobs, projectStore }, clock.now());
    if (removed > 0) log.debug("unused blobs were removed", { removed });
  };

  return createRounds({
    clock,
    log,
    errands: [
      { what: "reading the feed for projects", run: readFeed },
      {
        what: "ending interrupted deploys",
        everyMs: INTERRUPTED_EVERY_MS,
        atOnce: true,
        run: endInterrupted,
      },
      { what: "purging projects", everyMs: PURGE_EVERY_MS, inTurn: true, run: purge },
      { what: "releasing blobs", everyMs: PURGE_EVERY_MS, inTurn: true, run: release },
      { what: "collecting blobs", everyMs: COLLECT_EVERY_MS, inTurn: true, run: collect },
    ],
    takeTurn,
  });
}

/**
 * How long an unused blob is kept. Creating a deploy puts each of its blobs, which renews it, and takes at most half as
 * long (`MAX_UNFINISHED_MS`), so no blob is removed before its deploy registers it.
 */
const UNNEEDED_KEPT_MS: number = HOUR_MS;

/** Blob names per query. */
const BLOB_BATCH = 100;

/** More deploys than can be in progress at the same time. */
const ALL_UNFINISHED = 1_000;

/** Removes the blobs that no deploy uses, and returns their number. */
export async function collectBlobs(
  { blobs, projectStore }: { readonly blobs: Blobs; readonly projectStore: ProjectStore },
  now: number,
): Promise<number> {
  const unfinished = await projectStore.deploys.stalled(Number.MAX_SAFE_INTEGER, ALL_UNFINISHED);
  // After a clock jump, blobs of an unfinished deploy look old. Keeps blobs put since the oldest one began.
  const putBefore = Math.min(
    now - UNNEEDED_KEPT_MS,
    ...unfinished.map(({ createdAt }) => createdAt),
  );
  let removed = 0;
  const collect = async (names: readonly string[]): Promise<void> => {
    const needed = await projectStore.blobs.needed(names);
    for (const name of names) {
      if (needed.has(name)) continue;
      // Keeps a blob that was put again after it was listed.
      await blobs.delete(name, putBefore);
      removed++;
    }
  };
  let names: string[] = [];
  for await (const { sha256, putAt } of blobs.list()) {
    if (putAt >= putBefore) continue;
    names.push(sha256);
    if (names.length < BLOB_BATCH) continue;
    await collect(names);
    names = [];
  }
  if (names.length > 0) await collect(names);
  return removed;
}
