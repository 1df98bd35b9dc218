import type { PetStatus } from "../../model/pet.ts";
import type { Theme } from "./project.ts";

/** `petstore.site.json`: what a site says of itself. Everything is optional. */
export interface SiteFile {
  readonly title?: string;
  readonly description?: string;
  /** BCP 47; default `en`. */
  readonly language?: string;
  readonly theme?: Theme & {
    /** Path of an image in the deploy. */
    readonly logo?: string;
  };
  /** `false` turns the storefront off: then only the files are served. */
  readonly storefront?: StorefrontSettings | false;
  readonly redirects?: readonly SiteRedirect[];
  readonly headers?: readonly SiteHeaders[];
  /** Path of the page for what is not there; default `/404.html` where there is one. */
  readonly notFound?: string;
  /** Takes effect when its deploy becomes live, for domains that were verified. */
  readonly domains?: DomainsRequest;
}

export interface StorefrontSettings {
  /** Narrows what the project shows. */
  readonly statuses?: readonly PetStatus[];
  readonly sort?: "newest" | "oldest";
  /** 1 to 60, default 24. */
  readonly pageSize?: number;
  readonly texts?: {
    readonly heading?: string;
    readonly intro?: string;
    /** Said where no animal is shown. */
    readonly empty?: string;
    /** How to adopt, on the page of each animal. */
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
  /** A path; `*` at its end stands for the rest. */
  readonly from: string;
  /** A path of the site, or an absolute http(s) address; `*` at its end takes the rest. */
  readonly to: string;
  readonly status?: 301 | 302 | 307 | 308;
}

export interface SiteHeaders {
  /** As in a redirect. */
  readonly for: string;
  /** Only names of the allow-list. */
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
