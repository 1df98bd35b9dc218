import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Deploy, DeployProgress, Manifest } from "./model/deploy.ts";
import type { Project, ProjectFilter, SiteLanguage, Theme } from "./model/project.ts";
import type { SiteChange } from "./model/site-settings.ts";

/**
 * Operations on projects and deploys, without HTTP. Authorization is up to the caller.
 * `project` arguments are ids (`prj_…`). Refusals are `not_found` for unknown ids, and the codes named below.
 */
export interface Projects {
  /** Default slug: a random `<adjective>-<animal>-<4 hex>`. `invalid_value`, `slug_taken`, `limit_reached`. */
  create(input: {
    readonly accountId: string;
    readonly name: string;
    readonly slug?: string;
    readonly filter?: Partial<ProjectFilter>;
    readonly theme?: Theme;
    /** Language of the storefront's own texts. Default: English. */
    readonly language?: SiteLanguage;
  }): Promise<Result<Project, Problem>>;
  byId(id: string): Promise<Project | undefined>;
  /** By its slug, or one that it had in the last 30 days. Includes restorable deleted projects. */
  bySlug(slug: string): Promise<Project | undefined>;
  /** Projects of one account or of all, newest first. Includes restorable deleted projects. */
  list(input?: {
    readonly accountId?: string;
    /** Only projects older than the one with this id. */
    readonly after?: string;
    /** Default 100. */
    readonly limit?: number;
  }): Promise<readonly Project[]>;
  /** After a slug changes, the old one redirects for 30 days. A theme replaces the whole theme, and `site` changes single settings, its accent and scheme included. `invalid_value`, `slug_taken`, `unknown_category`. */
  update(
    project: string,
    change: {
      readonly name?: string;
      readonly slug?: string;
      readonly filter?: Partial<ProjectFilter>;
      readonly theme?: Theme;
      readonly site?: SiteChange;
    },
  ): Promise<Result<Project, Problem>>;
  /** Takes the site offline. Can be undone within 24 hours. */
  delete(project: string): Promise<Result<Project, Problem>>;
  /** Leaves a project that is not deleted unchanged. `limit_reached`. */
  restore(project: string): Promise<Result<Project, Problem>>;

  readonly deploys: {
    /**
     * Reads a tar.gz, copies a deploy, `without` files at some paths, or creates the starter, and publishes it unless `activate` is false. With `add` it is
     * added to the files that are live when it is published. Resolves when the deploy is live (or ready). Calls `onBegin` as soon as the deploy has an id. A refusal leaves a deploy in state `failed`,
     * except `not_found` and `limit_reached`. `invalid_archive`, `invalid_site_file`, `payload_too_large`.
     */
    create(
      project: string,
      input: {
        readonly archive:
          | ReadableStream<Uint8Array>
          | "starter"
          | { readonly deploy: string; readonly without?: ReadonlySet<string> };
        readonly add?: boolean;
        readonly author: string;
        readonly message?: string;
        readonly activate?: boolean;
        readonly onBegin?: (deploy: Deploy) => void;
      },
    ): Promise<Result<Deploy, Problem>>;
    byId(project: string, id: string): Promise<Deploy | undefined>;
    /** Newest first, at most `limit` (default 50). */
    list(project: string, limit?: number): Promise<readonly Deploy[]>;
    manifest(project: string, id: string): Promise<Manifest | undefined>;
    /** Returns a file of a complete deploy; undefined if it has none at the path, or one of more than `maxBytes`. */
    read(
      project: string,
      id: string,
      file: { readonly path: string; readonly maxBytes: number },
    ): Promise<Uint8Array | undefined>;
    /** Makes the deploy live. `deploy_not_ready`. */
    activate(project: string, id: string): Promise<Result<Deploy, Problem>>;
    /** Activates `to`, or the previously live deploy; each further call goes one deploy further back. `not_found` if there is none, `deploy_not_ready`. */
    rollback(project: string, to?: string): Promise<Result<Deploy, Problem>>;
    /** `limit_reached`. */
    pin(project: string, id: string, pinned: boolean): Promise<Result<Deploy, Problem>>;
    /** `deploy_is_live`, `deploy_not_ready` while in progress. */
    delete(project: string, id: string): Promise<Result<undefined, Problem>>;
    /** Calls `listener` with the progress of a deploy in this process, immediately and on every change, until the returned function is called. */
    watch(id: string, listener: (progress: DeployProgress) => void): () => void;
  };
}
