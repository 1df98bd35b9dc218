import type { PetStatus } from "../../model/pet.ts";
import type { Theme } from "./project.ts";

/** The contents of `petstore.site.json`. All members are optional. */
export interface SiteFile {
  readonly title?: string;
  readonly description?: string;
  /** BCP 47; default `en`. */
  readonly language?: string;
  readonly theme?: Theme & {
    /** Path of an image in the deploy. */
    readonly logo?: string;
  };
  /** `false` turns the storefront off, so that only files are served. */
  readonly storefront?: StorefrontSettings | false;
  readonly redirects?: readonly SiteRedirect[];
  readonly headers?: readonly SiteHeaders[];
  /** Path of the 404 page. Default `/404.html` if it exists. */
  readonly notFound?: string;
  /** Takes effect for verified domains when the deploy goes live. */
  readonly domains?: DomainsRequest;
}

export interface StorefrontSettings {
  /** Narrows the project's filter. */
  readonly statuses?: readonly PetStatus[];
  readonly sort?: "newest" | "oldest";
  /** 1 to 60, default 24. */
  readonly pageSize?: number;
  readonly texts?: {
    readonly heading?: string;
    readonly intro?: string;
    /** Shown when the list is empty. */
    readonly empty?: string;
    /** How to adopt; shown on each animal's page. */
    readonly adopt?: string;
    readonly footer?: string;
  };
  readonly contact?: {
    readonly name?: string;
    readonly email?: string;
    readonly phone?: string;
    readonly address?: string;
    readonly hours?: string;
    readonly url?: string;
  };
}

export interface SiteRedirect {
  /** A path. `*` at its end matches the rest. */
  readonly from: string;
  /** A path of the site, or an absolute http(s) address. `*` at its end inserts the rest. */
  readonly to: string;
  readonly status?: 301 | 302 | 307 | 308;
}

export interface SiteHeaders {
  /** A path pattern, as in a redirect. */
  readonly for: string;
  /** Only allowed names. */
  readonly values: Readonly<Record<string, string>>;
}

export interface DomainsRequest {
  readonly primary?: string;
  readonly redirects?: readonly {
    readonly from: string;
    readonly to: string;
    readonly status?: 301 | 302 | 307 | 308;
  }[];
}
