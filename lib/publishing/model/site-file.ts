import {
  array,
  boolean,
  integer,
  object,
  oneOf,
  oneOfNumbers,
  orFalse,
  record,
  string,
  type JsonSchema,
  type Schema,
} from "../../base/schema.ts";
import type { PetStatus } from "../../catalogue/model.ts";
import { PetStatusSchema } from "../../catalogue/schema.ts";
import { LABEL, visibleBut } from "../../model/text.ts";
import type { Theme } from "./project.ts";
import {
  faultOfPath,
  faultOfPattern,
  faultOfTarget,
  line,
  lines,
  linkAddress,
  matching,
  webAddress,
} from "./site-file-texts.ts";

/** Path of the site file. */
export const SITE_FILE = "/petstore.site.json";

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

/** The storefront's settings in a site file. */
export interface StorefrontSettings {
  /** Narrows the project's filter. */
  readonly statuses?: readonly PetStatus[];
  readonly sort?: "newest" | "oldest";
  /** 1 to 60, default 24. */
  readonly pageSize?: number;
  /** Whether each animal's page leads to an enquiry form. Default true. */
  readonly enquiries?: boolean;
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
  readonly links?: SiteLinks;
}

/** Ways to help the shelter and to visit it, which each page shows. */
export interface SiteLinks {
  /** Where visitors donate: an https, http or mailto address. */
  readonly donate?: string;
  /** Where visitors arrange a visit: an https, http, mailto or tel address. */
  readonly visit?: string;
}

/** A redirect of a site file. */
export interface SiteRedirect {
  /** A path. `*` at its end matches the rest. */
  readonly from: string;
  /** A path of the site, or an absolute http(s) address. `*` at its end inserts the rest. */
  readonly to: string;
  readonly status?: 301 | 302 | 307 | 308;
}

/** Headers that a site file sets for some paths. */
export interface SiteHeaders {
  /** A path pattern, as in a redirect. */
  readonly for: string;
  /** Only allowed names. */
  readonly values: Readonly<Record<string, string>>;
}

/** The domains that a site file asks for. */
export interface DomainsRequest {
  readonly primary?: string;
  readonly redirects?: readonly {
    readonly from: string;
    readonly to: string;
    readonly status?: 301 | 302 | 307 | 308;
  }[];
}

/**
 * Headers that a site may add to its files. Excluded are headers that frame a message, set cookies, affect the whole
 * host, or are set by the server (`Content-Type`, `Cache-Control`, `ETag`, `Strict-Transport-Security`).
 */
const allowedHeaders: readonly string[] = [
  "Access-Control-Allow-Origin",
  "Content-Disposition",
  "Content-Language",
  "Content-Security-Policy",
  "Content-Security-Policy-Report-Only",
  "Cross-Origin-Embedder-Policy",
  "Cross-Origin-Opener-Policy",
  "Cross-Origin-Resource-Policy",
  "Link",
  "Origin-Agent-Cluster",
  "Permissions-Policy",
  "Referrer-Policy",
  "Timing-Allow-Origin",
  "X-Frame-Options",
  "X-Robots-Tag",
];

const allowed: ReadonlySet<string> = new Set(allowedHeaders.map((name) => name.toLowerCase()));

/** Returns why a site may not set this header; undefined if valid. Ignores case. */
function faultOfHeaderName(name: string): string | undefined {
  if (allowed.has(name.toLowerCase())) return undefined;
  return `is not a header that a site may set; those are ${allowedHeaders.join(", ")}`;
}

const MAX_HEADER_VALUE = 4_096;

/** Printable ASCII without leading or trailing space: nothing that ends the line or is ambiguous. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

function faultOfHeaderValue(value: string): string | undefined {
  if (value.length > MAX_HEADER_VALUE) return `must be at most ${MAX_HEADER_VALUE} characters long`;
  return VALUE.test(value) ? undefined : "must be printable ASCII on one line";
}

export const MAX_REDIRECTS = 1_000;
export const MAX_HEADER_RULES = 200;
const MAX_VALUES = 32;
const MAX_DOMAIN_REDIRECTS = 100;

const statuses = oneOfNumbers([301, 302, 307, 308], {
  default: 308,
  description: "308 and 301 are permanent, 307 and 302 temporary.",
});

const path = (description: string): Schema<string> =>
  string(faultOfPath, { pattern: "^/", description });

const pattern = string(faultOfPattern, {
  pattern: "^/[^*?#%]*\\*?$",
  description: 'A decoded path. "*" at its end matches the rest.',
  examples: ["/old-page", "/blog/*"],
});

const hostName = matching(
  new RegExp(`^${LABEL}(?:\\.${LABEL})+$`),
  253,
  "must be a domain name such as pets.example.org",
  { examples: ["pets.example.org"] },
);

const PART = visibleBut('@<>"');
const EMAIL = new RegExp(`^${PART}+@${PART}+$`);
const PHONE = /^[+0-9(][-0-9 ()/.]{2,38}[0-9)]$/;

/** The schemas of contact details, in the site file and in the settings of a project. */
export const contactMembers = {
  name: line(120, "Name of the shelter or contact person."),
  email: matching(EMAIL, 254, "must be an email address", {
    examples: ["hello@example.org"],
  }),
  phone: matching(PHONE, 40, "must be a telephone number", {
    examples: ["+1 555 0100"],
  }),
  address: lines(500, "Street address."),
  hours: lines(500, "Opening hours."),
  url: webAddress("Your website."),
};

/** The schemas of links, in the site file and in the settings of a project. */
export const linkMembers = {
  donate: linkAddress(
    ["https", "http", "mailto"],
    "Where visitors donate.",
    "https://example.org/donate",
  ),
  visit: linkAddress(
    ["https", "http", "mailto", "tel"],
    "Where visitors arrange a visit.",
    "tel:+1-555-0100",
  ),
};

/** The schemas of texts, in the site file and in the settings of a project. */
export const titleSchema: Schema<string> = line(120, "Name of the site.");
export const textMembers = {
  heading: line(120, "Above the list of animals."),
  intro: lines(4_000, "Below the heading."),
};

export const accentSchema: Schema<string> = matching(
  /^#[0-9A-Fa-f]{6}$/,
  7,
  "must be a colour such as #1e6f5c",
  { description: "Colour of links and buttons.", examples: ["#1e6f5c"] },
);

const theme = object(
  {},
  {
    accent: accentSchema,
    scheme: oneOf(["auto", "light", "dark"], {
      default: "auto",
      description: "Colours of the storefront; `auto` follows the visitor's system.",
    }),
    logo: path("Path of an image in the site, shown next to its title."),
  },
);

const storefront = object(
  {},
  {
    statuses: array(PetStatusSchema, {
      minItems: 1,
      maxItems: 3,
      description: "Narrows the statuses that the project shows.",
    }),
    sort: oneOf(["newest", "oldest"], { default: "newest" }),
    pageSize: integer({ minimum: 1, maximum: 60, description: "Animals per page. Default 24." }),
    enquiries: boolean({
      description: "Whether each animal's page leads to an enquiry form. Default true.",
    }),
    texts: object(
      {},
      {
        ...textMembers,
        empty: lines(1_000, "Shown when the list is empty."),
        adopt: lines(4_000, "How to adopt; shown on each animal's page."),
        footer: lines(1_000, "At the end of each page."),
      },
    ),
    contact: object({}, contactMembers),
    links: object({}, linkMembers),
  },
  { description: "The pages with the project's animals." },
);

const redirect = object(
  {
    from: pattern,
    to: string(faultOfTarget, {
      description:
        'A path of the site, or an absolute http(s) address. "*" at its end inserts the text that "*" in `from` matched.',
      examples: ["/new-page", "https://example.org/blog/*"],
    }),
  },
  { status: statuses },
);

/** JSON Schema has no case-insensitive patterns. */
const anyCase = (name: string): string =>
  name.replace(/[A-Za-z]/g, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);

const headers = object({
  for: pattern,
  values: record(
    string(faultOfHeaderName, { pattern: `^(?:${allowedHeaders.map(anyCase).join("|")})$` }),
    string(faultOfHeaderValue, { minLength: 1, maxLength: MAX_HEADER_VALUE }),
    { maxProperties: MAX_VALUES, description: "Headers by their names." },
  ),
});

/** The schema of `petstore.site.json`. It does not check references to files of the site. */
export const SiteFileSchema: Schema<SiteFile & { readonly $schema?: string }> = object(
  {},
  {
    $schema: line(2_048, "Address of this schema, for editors."),
    title: titleSchema,
    description: line(300, "Description of the site for search engines and previews."),
    language: matching(
      /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/,
      35,
      "must be a language tag such as en or pt-BR",
      { default: "en", description: "Language of the site (BCP 47).", examples: ["en", "de"] },
    ),
    theme,
    storefront: orFalse(storefront),
    redirects: array(redirect, { maxItems: MAX_REDIRECTS }),
    headers: array(headers, { maxItems: MAX_HEADER_RULES }),
    notFound: path("Path of the 404 page. Default: /404.html, if it exists."),
    domains: object(
      {},
      {
        primary: hostName,
        redirects: array(object({ from: hostName, to: hostName }, { status: statuses }), {
          maxItems: MAX_DOMAIN_REDIRECTS,
        }),
      },
      { description: "Domains of the site. Takes effect for verified ones." },
    ),
  },
);

/** Returns the schema as JSON Schema, for editors. */
export function siteFileJsonSchema(): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:petstore:site-file",
    title: "petstore.site.json",
    description: "Settings of a site. All members are optional.",
    ...SiteFileSchema.json,
  };
}
