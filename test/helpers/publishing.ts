import { system } from "../../lib/model/actor.ts";
import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { createProjects } from "../../lib/publishing/actions/projects.ts";
import type { PublishingContext } from "../../lib/publishing/actions/context.ts";
import type { Blobs } from "../../lib/publishing/blobs.ts";
import type { Ingest } from "../../lib/publishing/ingest/ingest.ts";
import { publishingJobs } from "../../lib/publishing/jobs.ts";
import { createUnfinishedDeploys } from "../../lib/publishing/unfinished-deploys.ts";
import { memoryBlobs } from "../../lib/publishing/memory-blobs.ts";
import type { ManifestFile } from "../../lib/publishing/model/deploy.ts";
import { createSites } from "../../lib/publishing/sites.ts";
import { sqlProjectStore } from "../../lib/publishing/storage/sql-project-store.ts";
import { createClosing } from "../../lib/base/closing.ts";
import { silentLog } from "../../lib/base/log.ts";
import { done } from "../../lib/base/result.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { anAccount } from "../../testing/shelter.ts";
import { manualClock, type ManualClock } from "../../testing/clock.ts";
import { migratedSql } from "./migrated.ts";
import { chance } from "./chance.ts";

export const START = 1_795_000_000_000;

export interface Bench extends Awaited<ReturnType<typeof openPublishing>> {}

/** Opens the parts of publishing over a new database (or the one in `path`), with two accounts and a fake ingest. */
export async function openPublishing({
  path,
  clock = manualClock(START),
  blobs = memoryBlobs({ clock }),
  seed = 1,
  alone = false,
  ...more
}: {
  readonly path?: string;
  readonly clock?: ManualClock;
  readonly blobs?: Blobs;
  readonly seed?: number;
  readonly alone?: boolean;
} & Partial<Pick<PublishingContext, "ingest" | "reserved" | "stopping">> = {}) {
  const sql = await (path === undefined ? migratedSql(clock) : bunSqliteSql({ path, clock }));
  const store = await sqlStore({ sql, clock });
  const projectStore = await sqlProjectStore({ sql, clock });
  for (const id of ["acc_one", "acc_two"]) {
    // Refused if another process has created the accounts in the same file.
    await store.commit([{ kind: "account.create", account: anAccount(id, START) }], system);
  }
  const sites = createSites({ store, projects: projectStore, clock });
  const dice = chance(seed);
  const projects = createProjects({
    store,
    projectStore,
    commit: (changes) => projectStore.commit(changes, system),
    blobs,
    compress: undefined,
    ingest: ingestWords,
    clock,
    random: (into) => into.map(() => dice.between(0, 255)),
    log: silentLog,
    reserved: [],
    unfinished: createUnfinishedDeploys(),
    stopping: createClosing(),
    forget: (projectId) => {
      sites.forget("project", projectId);
    },
    ...more,
  });
  const jobs = publishingJobs({ store, projectStore, blobs, sites, alone, clock, log: silentLog });
  return { clock, sql, store, projectStore, blobs, sites, projects, jobs };
}

/** Returns an archive for `ingestWords`: each word becomes a file, and `!word` an immutable one. */
export function archiveOf(...words: readonly string[]): ReadableStream<Uint8Array> {
  return new Blob([words.join(" ")]).stream();
}

/** Replaces the real ingest in tests that do not depend on archives. */
export const ingestWords: Ingest = async (archive, { blobs, onProgress }) => {
  const text = await new Response(archive).text();
  const files: ManifestFile[] = [];
  for (const word of text.split(" ")) {
    const { sha256, size } = await blobs.put(new TextEncoder().encode(word));
    const path = `/${word.replace("!", "")}`;
    files.push({
      path,
      sha256,
      size,
      type: "x/y",
      immutable: word !== path.slice(1),
      encodings: [],
    });
    onProgress?.(files.length, files.length);
  }
  return done({ files, site: {} });
};
