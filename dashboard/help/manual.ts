/** A page of the manual. */
export interface ManualPage {
  /** The last part of the address: `/help/limits`. */
  readonly slug: string;
  /** File name in `docs/`. */
  readonly file: string;
  /** A one-line summary. */
  readonly summary: string;
}

/** The pages of `docs/` for users, in order. */
export const manualPages: readonly ManualPage[] = [
  {
    slug: "shelters",
    file: "shelters.md",
    summary: "From the list of animals you have to a site that answers visitors.",
  },
  {
    slug: "dashboard",
    file: "dashboard.md",
    summary: "Signing in, members and roles, and what each page does.",
  },
  {
    slug: "api",
    file: "api.md",
    summary: "Conventions of the API beyond its OpenAPI description.",
  },
  {
    slug: "limits",
    file: "limits.md",
    summary: "Rate limits, their headers, and bans.",
  },
  {
    slug: "errors",
    file: "errors.md",
    summary: "Every error code: its meaning, common causes, and fixes.",
  },
  {
    slug: "publishing",
    file: "publishing.md",
    summary: "Websites with your animals: projects, deploys and the storefront.",
  },
  {
    slug: "custom-domains",
    file: "custom-domains.md",
    summary: "Your own domain for a site, and its certificate.",
  },
  {
    slug: "findings",
    file: "findings.md",
    summary: "What a domain check can find, and how to fix it.",
  },
  {
    slug: "management",
    file: "management.md",
    summary: "The API behind the dashboard and the CLI.",
  },
  {
    slug: "operating",
    file: "operating.md",
    summary: "Running the program: options, commands, backups and monitoring.",
  },
  {
    slug: "mail",
    file: "mail.md",
    summary: "Invitations, password links and enquiries by mail: setup, limits and problems.",
  },
  {
    slug: "export-format",
    file: "export-format.md",
    summary: "The files of a whole installation that `petstore export --all` writes.",
  },
  {
    slug: "embedding",
    file: "embedding.md",
    summary: "Using the service in your own program.",
  },
];

/** Files of `docs/` that pages link to, with their media types. */
export const manualFiles: Readonly<Record<string, string>> = {
  "petstore.service": "text/plain; charset=utf-8",
  "petstore.site.schema.json": "application/json; charset=utf-8",
};

/**
 * Translates a link in `docs/` into one within the help; undefined when the help does not have its target.
 */
export function helpLink(href: string): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [file = "", fragment] = href.split("#", 2);
  const page = manualPages.find((one) => one.file === file);
  if (page !== undefined)
    return `/help/${page.slug}${fragment === undefined ? "" : `#${fragment}`}`;
  return Object.hasOwn(manualFiles, file) ? `/help/${file}` : undefined;
}
