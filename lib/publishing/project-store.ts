import type { Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Actor } from "../model/actor.ts";
import type { Deploy, Manifest } from "./model/deploy.ts";
import type { Project } from "./model/project.ts";

/**
 * Stores projects, their slugs and their deploys, in the database of the `Store`, whose outbox and feed it writes to.
 * Every adapter must guarantee (test/contract/projects.ts):
 *
 * - `commit` applies all of its changes in order, or none, and resolves only when they are durable. Commits are
 *   isolated: each sees the complete effect of the earlier ones. Of two simultaneous activations, only the last is live.
 * - No slug leads to two projects.
 * - A read sees every commit that resolved in this process before the read began.
 *   It may return at once (a plain value) or later (a promise).
 * - Rows are copies: modifying one does not change the store.
 * - A missing row is `undefined`, a missing list is empty. Methods throw for unexpected failures, and
 *   `StoreUnavailable` if a retry may succeed.
 */
export interface ProjectStore {
  readonly projects: {
    /** Includes deleted projects until they are purged. */
    byId(id: string): Eventual<Project | undefined>;
    /** Finds a project by its slug, or an old slug that redirects at `now`. Includes deleted projects. */
    bySlug(slug: string, now: number): Eventual<AddressedProject | undefined>;
    /**
     * At most `limit` projects of one account or of all, newest first and older than `after`; empty if `after` is not
     * among them. Excludes projects that were deleted at or before `deletedAfter`, or whose account was deleted.
     */
    list(query: ProjectQuery): Eventual<readonly Project[]>;
    /** Ids of at most `limit` projects that were deleted before `deletedBefore` or whose account was deleted. */
    purgeable(deletedBefore: number, limit: number): Eventual<readonly string[]>;
  };
  readonly deploys: {
    byId(projectId: string, id: string): Eventual<Deploy | undefined>;
    /** Newest first, at most `limit`. */
    list(projectId: string, limit: number): Eventual<readonly Deploy[]>;
    /** The manifest of a deploy that is complete. */
    manifest(projectId: string, id: string): Eventual<Manifest | undefined>;
    /** The deploy that was live before the current one: the target of a rollback. */
    before(projectId: string): Eventual<Deploy | undefined>;
    /** At most `limit` deploys that were superseded at `since` or later, latest first. */
    superseded(projectId: string, since: number, limit: number): Eventual<readonly Deploy[]>;
    /** At most `limit` deploys in progress, of all projects, that were last touched before `touchedBefore`. */
    stalled(touchedBefore: number, limit: number): Eventual<readonly Deploy[]>;
  };
  readonly blobs: {
    /** Those of up to 100 names that a photo or a deploy uses, or that a deploy used and has not released yet. */
    needed(sha256s: readonly string[]): Eventual<ReadonlySet<string>>;
    /** The id of a deleted or failed deploy whose blobs are not yet released. */
    unreleased(): Eventual<string | undefined>;
  };

  commit(
    changes: readonly ProjectChange[],
    actor: Actor,
  ): Promise<Result<readonly ProjectOutcome[], ProjectConflict>>;
}

/** Commits changes as one actor, as `ProjectStore.commit` does. */
export type CommitProjects = (
  changes: readonly ProjectChange[],
) => ReturnType<ProjectStore["commit"]>;

/** Which projects a list contains, ordered by ID. Instants are in milliseconds since the Unix epoch. */
export interface ProjectQuery {
  readonly accountId?: string | undefined;
  readonly after?: string | undefined;
  readonly deletedAfter: number;
  readonly limit: number;
}

/** A project found by a slug. Instants are in milliseconds since the Unix epoch. */
export interface AddressedProject {
  readonly project: Project;
  /** The time at which an old slug stops redirecting. */
  readonly redirectsUntil?: number;
}

/**
 * A write, as data. `at` is the time of the decision, in milliseconds since the Unix epoch. Unless noted, a change
 * writes a notice `project` to the feed and its event to the outbox. It writes no event once the account is deleted.
 */
export type ProjectChange =
  /** Event `project.created`. Refused `missing` without its account, `limit` when the account has `atMost` projects, `taken`. */
  | { readonly kind: "project.create"; readonly project: Project; readonly atMost: number }
  /**
   * Replaces the fields of `from` with those of `to`. With another slug, the old one redirects until `oldSlugUntil`.
   * Event `project.updated`. Outcome: the project. Refused `stale` when the version differs from that of `from` or the
   * project is deleted, and `taken` when the slug belongs to another project or still redirects to it.
   */
  | {
      readonly kind: "project.update";
      readonly from: Project;
      readonly to: Pick<Project, "name" | "slug" | "filter" | "theme" | "site">;
      readonly oldSlugUntil: number;
      readonly at: number;
    }
  /** Hides the project, restorable until purged. Event `project.deleted`. Outcome: the project. Refused `missing`. */
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
   * Removes a project without deploys that was deleted before `deletedBefore` or whose account was deleted.
   * No event, no notice. Refused `missing`.
   */
  | { readonly kind: "project.purge"; readonly projectId: string; readonly deletedBefore: number }
  /** Removes at most `limit` old slugs whose redirect has expired. No event, no notice. */
  | { readonly kind: "slugs.purge"; readonly now: number; readonly limit: number }
  /**
   * Event `deploy.created`. No notice. Refused `missing` when the project is missing or deleted, and `limit` when
   * `atMost` others are in progress that were touched after `aliveAfter`.
   */
  | {
      readonly kind: "deploy.create";
      readonly deploy: Deploy;
      readonly atMost: number;
      readonly aliveAfter: number;
    }
  /** Records that the deploy is being worked on. No event, no notice. Refused `stale` when the deploy is no longer in progress. */
  | {
      readonly kind: "deploy.touch";
      readonly deployId: string;
      readonly state: "uploading" | "processing";
      readonly at: number;
    }
  /** Registers blobs of the deploy. No event, no notice. Refused `stale` when the deploy is no longer in progress. */
  | {
      readonly kind: "deploy.keep";
      readonly deployId: string;
      readonly blobs: readonly string[];
    }
  /**
   * Completes the deploy, whose blobs `deploy.keep` has registered. Event `deploy.ready`. No notice. Outcome: the deploy.
   * Refused `stale` when the deploy is no longer in progress.
   */
  | {
      readonly kind: "deploy.ready";
      readonly deployId: string;
      readonly manifest: Manifest;
      readonly at: number;
    }
  /**
   * Makes the deploy live and the previous one `superseded`. With `back`, later deploys leave the rollback history.
   * With `replaces`, only if that deploy is live, or none if it is null. Event `deploy.activated`. Outcome: the deploy.
   * Refused `missing` when the project is missing or deleted, `live` when another deploy than `replaces` is live, and
   * `stale` unless the deploy is ready, superseded or live.
   */
  | {
      readonly kind: "deploy.activate";
      readonly projectId: string;
      readonly deployId: string;
      readonly back: boolean;
      readonly replaces?: string | null;
      readonly at: number;
    }
  /** Event `deploy.failed`. No notice. Outcome: the deploy. Refused `stale` when it is no longer in progress or was touched at `touchedBefore` or later. */
  | {
      readonly kind: "deploy.fail";
      readonly deployId: string;
      readonly failure: Problem;
      readonly touchedBefore?: number;
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
  /** Event `deploy.deleted`. Refused `missing`, `live`, and `stale` while in progress. */
  | {
      readonly kind: "deploy.delete";
      readonly projectId: string;
      readonly deployId: string;
      readonly at: number;
    }
  /** Deletes a surplus deploy like `deploy.delete`. Does nothing if it is live, pinned or in progress. Never refused. */
  | {
      readonly kind: "deploy.expire";
      readonly projectId: string;
      readonly deployId: string;
      readonly at: number;
    }
  /**
   * Removes a deploy in any state, of a project that was deleted before `deletedBefore` or whose account was
   * deleted. No event, no notice. Never refused.
   */
  | {
      readonly kind: "deploy.purge";
      readonly projectId: string;
      readonly deployId: string;
      readonly deletedBefore: number;
    }
  /** Releases at most `limit` blobs of a deleted or failed deploy. No event, no notice. Never refused. */
  | { readonly kind: "deploy.release"; readonly deployId: string; readonly limit: number };

/** Why a change of a project was refused. */
export type ProjectRefusal = "missing" | "stale" | "taken" | "limit" | "live";

/** The first refused change of a commit, which was not applied. */
export interface ProjectConflict {
  /** Index into the commit's changes. */
  readonly index: number;
  readonly refusal: ProjectRefusal;
}

/** The row that a change created or updated, or undefined. */
export type ProjectOutcome = Project | Deploy | undefined;

/** Returns the outcome as a project. Throws if it is not one. */
export function projectOf(outcome: ProjectOutcome): Project {
  if (outcome !== undefined && "slug" in outcome) return outcome;
  throw new TypeError("the outcome of the change is not a project");
}

/** Returns the outcome as a deploy. Throws if it is not one. */
export function deployOf(outcome: ProjectOutcome): Deploy {
  if (outcome !== undefined && "projectId" in outcome) return outcome;
  throw new TypeError("the outcome of the change is not a deploy");
}
