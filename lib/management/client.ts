import type { LocalClient } from "../local-client.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Account, Limits, Plan } from "../model/account.ts";
import type { UsageQuery, UsageRow } from "../model/usage.ts";
import type { Deploy, DeployProgress } from "../publishing/model/deploy.ts";
import type { SiteFile } from "../publishing/model/site-file.ts";
import type { Project, ProjectFilter, Theme } from "../publishing/model/project.ts";
import type { MembersClient } from "./member-view.ts";
import type { CertificatesClient, DomainsClient } from "./domain-client.ts";
import type { Role } from "../accounts/principal.ts";
import type { IssuedToken, TokenView } from "../accounts/token-store.ts";

/** A project, and where visitors find it. */
export interface ProjectView extends Project {
  /** `https://brave-otter-1f2e.example.org` */
  readonly url: string;
  /** `https://{deploy}--brave-otter-1f2e.example.org`: where a deploy is shown, by its id. Absent: only what is live is. */
  readonly previewUrl?: string;
  readonly liveDeploy?: Deploy;
  /** Of a deleted one. */
  readonly restorableUntil?: number;
}

/**
 * What the commands of the program use: everything that the management API can do, spoken to it over HTTP, over a
 * socket, or within the process. `project` is a slug or an id. Refused with the API's own problem; rejects when the
 * service cannot be reached.
 */
export interface ManagementClient {
  readonly accounts: Omit<LocalClient["accounts"], "default" | "list"> & {
    /** Oldest first; those that the caller may see. */
    list(): Promise<Result<readonly Account[], Problem>>;
  };
  readonly keys: Omit<LocalClient["keys"], "create" | "rename"> & {
    create(
      input: OfAccount<LocalClient["keys"]["create"]>,
    ): ReturnType<LocalClient["keys"]["create"]>;
  };
  readonly pets: {
    import(
      input: OfAccount<LocalClient["pets"]["import"]>,
    ): ReturnType<LocalClient["pets"]["import"]>;
    page(
      input: Omit<OfAccount<LocalClient["pets"]["page"]>, "filter">,
    ): ReturnType<LocalClient["pets"]["page"]>;
  };
  readonly categories: {
    list(
      input: OfAccount<LocalClient["categories"]["list"]>,
    ): ReturnType<LocalClient["categories"]["list"]>;
  };
  readonly plans: {
    list(): Promise<Result<readonly { readonly plan: Plan; readonly limits?: Limits }[], Problem>>;
  };
  readonly tokens: {
    /** Without an account: an operator's. */
    create(input: {
      readonly accountId?: string;
      readonly role: Role;
      readonly name?: string;
      readonly expiresInMs?: number;
    }): Promise<Result<IssuedToken, Problem>>;
    list(accountId?: string): Promise<Result<readonly TokenView[], Problem>>;
    revoke(tokenId: string, accountId?: string): Promise<Result<TokenView, Problem>>;
  };
  readonly members: MembersClient;
  readonly setup: {
    /** A one-time link to the first operator's token; good for 30 minutes. The newest one alone is good. */
    link(): Promise<Result<{ readonly url: string; readonly expiresAt: number }, Problem>>;
    /** Trades the token of a setup link for an operator's management token. */
    claim(setupToken: string, name?: string): Promise<Result<IssuedToken, Problem>>;
  };
  readonly projects: {
    create(input: {
      readonly accountId: string;
      readonly name: string;
      readonly slug?: string;
      readonly filter?: Partial<ProjectFilter>;
      readonly theme?: Theme;
    }): Promise<Result<ProjectView, Problem>>;
    byId(project: string): Promise<Result<ProjectView, Problem>>;
    list(accountId?: string): Promise<Result<readonly ProjectView[], Problem>>;
    update(
      project: string,
      change: {
        readonly name?: string;
        readonly slug?: string;
        readonly filter?: Partial<ProjectFilter>;
        readonly theme?: Theme;
      },
    ): Promise<Result<ProjectView, Problem>>;
    delete(project: string): Promise<Result<undefined, Problem>>;
    restore(project: string): Promise<Result<ProjectView, Problem>>;
  };
  readonly deploys: {
    create(
      project: string,
      input: {
        readonly archive: ReadableStream<Uint8Array> | "starter";
        readonly message?: string;
        readonly activate?: boolean;
        /** Told of what the server has made of it so far. */
        readonly onProgress?: (progress: DeployProgress) => void;
      },
    ): Promise<Result<Deploy, Problem>>;
    list(project: string): Promise<Result<readonly Deploy[], Problem>>;
    byId(project: string, id: string): Promise<Result<Deploy, Problem>>;
    /** What its `petstore.site.json` says; empty where it has none. */
    siteFile(project: string, id: string): Promise<Result<SiteFile, Problem>>;
    activate(project: string, id: string): Promise<Result<Deploy, Problem>>;
    rollback(project: string, to?: string): Promise<Result<Deploy, Problem>>;
    pin(project: string, id: string, pinned: boolean): Promise<Result<Deploy, Problem>>;
    delete(project: string, id: string): Promise<Result<undefined, Problem>>;
  };
  readonly domains: DomainsClient;
  readonly certificates: CertificatesClient;
  readonly usage: {
    /** Without `from` the last hour by minute, or the last 30 days; without `to` up to now. */
    read(
      query: Omit<UsageQuery, "from" | "to"> & Partial<Pick<UsageQuery, "from" | "to">>,
    ): Promise<Result<readonly UsageRow[], Problem>>;
  };
}

/** What a function of the local client takes, and whose: here nobody has a default account. */
type OfAccount<Call extends (input: never) => unknown> = Parameters<Call>[0] & {
  readonly accountId: string;
};
