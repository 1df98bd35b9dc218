import type { Eventual } from "../base/eventual.ts";
import type { Result } from "../base/result.ts";
import type { Deploy, Manifest } from "./model/deploy.ts";
import type { Project } from "./model/project.ts";
import type { Problem } from "../base/problem.ts";

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

/**
 * A write, as data. `at` is the instant it was decided, milliseconds since the Unix epoch. Unless said otherwise a
 * change puts a notice `project` on the feed, and it writes its events to the outbox; what is done
 * after the account is gone is told to nobody.
 */
export type ProjectChange =
  /** Event `project.created`. Refused `missing` without its account, `limit` when that has `atMost` already, `taken`. */
  | { readonly kind: "project.create"; readonly project: Project; readonly atMost: number }
  /**
   * Replaces what was `from` (its version is the one it was decided on) by the fields of `to`. Another slug leaves the
   * old one behind, which leads there until `oldSlugUntil`. Event `project.updated`. Outcome: the project. Refused
   * `stale`, also when it is deleted, and `taken` when the slug belongs to another project, or leads to it still.
   */
  | {
      readonly kind: "project.update";
      readonly from: Project;
      readonly to: Pick<Project, "name" | "slug" | "filter" | "theme">;
      readonly oldSlugUntil: number;
      readonly at: number;
    }
  /** Hides it, restorable until purged. Event `project.deleted`. Outcome: the project. Refused `missing`. */
  | { readonly kind: "project.delete"; readonly projectId: string; readonly at: number }
  /** Event `project.restored`. Outcome: the project. Refused `missing` unless deleted after `deletedAfter`, `limit`. */
  | {
      readonly kind: "project.restore";
      readonly projectId: string;
      readonly deletedAfter: number;
      readonly atMost: number;
      readonly at: number;
    }
  /**
   * Removes one that was deleted before `deletedBefore`, or has lost its account, and has no deploy left.
   * No event, no notice: nobody sees it since. Refused `missing`.
   */
  | { readonly kind: "project.purge"; readonly projectId: string; readonly deletedBefore: number }
  /** Removes old slugs that lead nowhere any more, at most `limit`. No event, no notice. */
  | { readonly kind: "slugs.purge"; readonly now: number; readonly limit: number }
  /**
   * Event `deploy.created`. No notice. Refused `missing` without its project or when that is deleted, `limit` when
   * `atMost` others are being made that have given a sign of life after `aliveAfter`.
   */
  | {
      readonly kind: "deploy.create";
      readonly deploy: Deploy;
      readonly atMost: number;
      readonly aliveAfter: number;
    }
  /** A sign of life. No event, no notice. Refused `stale` when it is not being made any more. */
  | {
      readonly kind: "deploy.touch";
      readonly deployId: string;
      readonly state: "uploading" | "processing";
      readonly at: number;
    }
  /** Blobs that it is going to consist of. No event, no notice. Refused `stale` when it is not being made any more. */
  | {
      readonly kind: "deploy.keep";
      readonly deployId: string;
      readonly blobs: readonly string[];
    }
  /**
   * It has all that it consists of; what blobs those are was said by `deploy.keep`. Event `deploy.ready`. No notice.
   * Outcome: the deploy. Refused `stale` when it is not being made any more.
   */
  | {
      readonly kind: "deploy.ready";
      readonly deployId: string;
      readonly manifest: Manifest;
      readonly at: number;
    }
  /**
   * Makes it the live one, and whatever was live `superseded`. With `back` those that came after it are no longer what
   * one goes back to. Event `deploy.activated`. Outcome: the deploy. Refused `missing` without its project or when that
   * is deleted, `stale` unless it is ready, superseded or live.
   */
  | {
      readonly kind: "deploy.activate";
      readonly projectId: string;
      readonly deployId: string;
      readonly back: boolean;
      readonly at: number;
    }
  /** Event `deploy.failed`. No notice. Outcome: the deploy. Refused `stale` when it is not being made any more, or has given a sign of life at `silentSince` or later. */
  | {
      readonly kind: "deploy.fail";
      readonly deployId: string;
      readonly failure: Problem;
      readonly silentSince?: number;
      readonly at: number;
    }
  /** No event. Outcome: the deploy. Refused `missing`, `limit` when `atMost` others of the project are pinned. */
  | {
      readonly kind: "deploy.pin";
      readonly projectId: string;
      readonly deployId: string;
      readonly pinned: boolean;
      readonly atMost: number;
      readonly at: number;
    }
  /** Event `deploy.deleted`. Refused `missing`, `live`, `stale` while it is being made. */
  | {
      readonly kind: "deploy.delete";
      readonly projectId: string;
      readonly deployId: string;
      readonly at: number;
    }
  /** The same for one that retention gives up, if it is neither live nor pinned nor being made meanwhile. Never refused. */
  | {
      readonly kind: "deploy.expire";
      readonly projectId: string;
      readonly deployId: string;
      readonly at: number;
    }
  /**
   * Removes one, whatever its state, of a project that was deleted before `deletedBefore` or has lost its account.
   * No event, no notice. Never refused.
   */
  | {
      readonly kind: "deploy.purge";
      readonly projectId: string;
      readonly deployId: string;
      readonly deletedBefore: number;
    }
  /** Forgets which blobs one consisted of that is gone or has failed, at most `limit` of them. No event, no notice. Never refused. */
  | { readonly kind: "deploy.release"; readonly deployId: string; readonly limit: number };

export type ProjectRefusal = "missing" | "stale" | "taken" | "limit" | "live";

/** Why none of a commit's changes was applied: the first one that could not be. */
export interface ProjectConflict {
  /** Index into the commit's changes. */
  readonly index: number;
  readonly refusal: ProjectRefusal;
}

/** What a change left behind: the row it made or changed, else undefined. */
export type ProjectOutcome = Project | Deploy | undefined;

/** The project that a change left behind. Throws when it left none: the store broke its word. */
export function projectOf(outcome: ProjectOutcome): Project {
  if (outcome !== undefined && "slug" in outcome) return outcome;
  throw new TypeError("a change of a project left no project behind");
}

/** The deploy that a change left behind. Throws when it left none: the store broke its word. */
export function deployOf(outcome: ProjectOutcome): Deploy {
  if (outcome !== undefined && "projectId" in outcome) return outcome;
  throw new TypeError("a change of a deploy left no deploy behind");
}
