import type { Eventual } from "../base/eventual.ts";
import type { Result } from "../base/result.ts";
import type { Deploy, Manifest } from "./model/deploy.ts";
import type { Project } from "./model/project.ts";
import type { ProjectChange, ProjectConflict, ProjectOutcome } from "./project-change.ts";

/**
 * Projects, their slugs and their deploys; in the same database as the `Store` beside it, whose outbox and feed it
 * writes to. What every adapter must promise (test/contract/projects.ts):
 *
 * - `commit` applies all of its changes or none, in order, and resolves only when they are durable. Commits are
 *   isolated: each sees the ones before it whole. So of two activations at once one comes last, and it alone is live.
 * - No slug ever leads to two projects.
 * - A read sees every commit that had resolved, in this process, before it was called.
 *   It may answer at once (a plain value) or later (a promise).
 * - Rows are copies: writing into one changes nothing.
 * - Absence is `undefined` or an empty list. What throws is the broken world; `StoreUnavailable` when trying later
 *   makes sense.
 */
export interface ProjectStore {
  readonly projects: {
    /** Deleted ones too, until they are purged. */
    byId(id: string): Eventual<Project | undefined>;
    /** By its slug, or by one that leads to it at `now`; deleted ones too. */
    bySlug(slug: string, now: number): Eventual<AddressedProject | undefined>;
    /**
     * Newest first, at most `limit`; those older than `after`; of one account or of all. None when `after` is not
     * among them. Without what was deleted at `deletedAfter` or before, and without those of accounts that are gone.
     */
    list(query: ProjectQuery): Eventual<readonly Project[]>;
    /** Ids of those that were deleted before `deletedBefore` or have lost their account, at most `limit`. */
    departed(deletedBefore: number, limit: number): Eventual<readonly string[]>;
  };
  readonly deploys: {
    byId(projectId: string, id: string): Eventual<Deploy | undefined>;
    /** Newest first, at most `limit`. */
    list(projectId: string, limit: number): Eventual<readonly Deploy[]>;
    /** Of one that is ready, or was. */
    manifest(projectId: string, id: string): Eventual<Manifest | undefined>;
    /** The one that was live before the one that is: where a rollback goes. */
    before(projectId: string): Eventual<Deploy | undefined>;
    /** Those that were live and ceased to be at `since` or later, last ones first, at most `limit`. */
    superseded(projectId: string, since: number, limit: number): Eventual<readonly Deploy[]>;
    /** Those being made that have given no sign of life since `touchedBefore`, of all projects, at most `limit`. */
    silent(touchedBefore: number, limit: number): Eventual<readonly Deploy[]>;
  };
  readonly blobs: {
    /** Those of up to 100 names that some deploy consists of, or has consisted of while that was not released. */
    needed(sha256s: readonly string[]): Eventual<ReadonlySet<string>>;
    /** A deploy that is gone or has failed, and of which blobs are still kept. */
    departed(): Eventual<string | undefined>;
  };

  commit(
    changes: readonly ProjectChange[],
  ): Promise<Result<readonly ProjectOutcome[], ProjectConflict>>;
}

export interface ProjectQuery {
  readonly accountId?: string | undefined;
  readonly after?: string | undefined;
  readonly deletedAfter: number;
  readonly limit: number;
}

/** A project as a slug leads to it. */
export interface AddressedProject {
  readonly project: Project;
  /** The slug is an old one, and leads to the project until then. */
  readonly redirectsUntil?: number;
}
