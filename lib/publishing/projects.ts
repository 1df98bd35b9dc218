import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Deploy, DeployProgress, Manifest } from "./model/deploy.ts";
import type { Project, ProjectFilter, Theme } from "./model/project.ts";

/**
 * Everything that can be done with projects and deploys, without HTTP and without asking who may:
 * whoever calls has checked that. `project` arguments are ids (`prj_…`).
 * Refusals are `not_found` for what is not there, and the codes named below.
 */
export interface Projects {
  /** Without a slug one is made up: `<adjective>-<animal>-<4 hex>`. `invalid_value`, `slug_taken`, `limit_reached`. */
  create(input: {
    readonly accountId: string;
    readonly name: string;
    readonly slug?: string;
    readonly filter?: Partial<ProjectFilter>;
    readonly theme?: Theme;
  }): Promise<Result<Project, Problem>>;
  byId(id: string): Promise<Project | undefined>;
  /** By its slug, or by one that it had in the last 30 days; deleted ones too, while they can be restored. */
  bySlug(slug: string): Promise<Project | undefined>;
  /** Newest first, deleted ones that can be restored included; of one account, or of all. */
  list(input?: {
    readonly accountId?: string;
    /** Those older than this one, by id. */
    readonly after?: string;
    /** Default 100. */
    readonly limit?: number;
  }): Promise<readonly Project[]>;
  /** Another slug leaves the old one behind as a redirect for 30 days. A theme replaces the whole theme. `invalid_value`, `slug_taken`, `unknown_category`. */
  update(
    project: string,
    change: {
      readonly name?: string;
      readonly slug?: string;
      readonly filter?: Partial<ProjectFilter>;
      readonly theme?: Theme;
    },
  ): Promise<Result<Project, Problem>>;
  /** Serves nothing from now on; can be undone for 24 h. */
  delete(project: string): Promise<Result<Project, Problem>>;
  /** One that is not deleted stays as it is. `limit_reached`. */
  restore(project: string): Promise<Result<Project, Problem>>;

  readonly deploys: {
    /**
     * Takes in a tar.gz, or makes the starter, and publishes it unless `activate` is false. Resolves when the deploy is
     * live (or ready). `onBegin` is told of the deploy as soon as it has an id. A refusal leaves a deploy in state `failed`,
     * but for `not_found` and `limit_reached`. `invalid_archive`, `invalid_site_file`, `payload_too_large`.
     */
    create(
      project: string,
      input: {
        readonly archive: ReadableStream<Uint8Array> | "starter";
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
    /** Makes it live: one swap. `deploy_not_ready`. */
    activate(project: string, id: string): Promise<Result<Deploy, Problem>>;
    /** Activates `to`, or the one that was live before; again and again it leads back through what was published. `not_found` when there is none, `deploy_not_ready`. */
    rollback(project: string, to?: string): Promise<Result<Deploy, Problem>>;
    /** `limit_reached`. */
    pin(project: string, id: string, pinned: boolean): Promise<Result<Deploy, Problem>>;
    /** `deploy_is_live`, `deploy_not_ready` while it is being made. */
    delete(project: string, id: string): Promise<Result<undefined, Problem>>;
    /** Calls `listener`, at once and with all news, with how far a deploy that this process makes has come, until the function returned is called. */
    watch(id: string, listener: (progress: DeployProgress) => void): () => void;
  };
}
