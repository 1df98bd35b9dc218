/** A page of the manual. */
export interface ManualPage {
  /** In the address: `/help/limits`. */
  readonly slug: string;
  /** In the folder `docs/`. */
  readonly file: string;
  /** What it is good for, in a line. */
  readonly summary: string;
}

/** Pages of `docs/` that are for those who use the product, in the order in which they are listed. */
export const manualPages: readonly ManualPage[] = [
  {
    slug: "dashboard",
    file: "dashboard.md",
    summary: "Coming in, people and their roles, and what each page is for.",
  },
  { slug: "api", file: "api.md", summary: "What the description of the API cannot tell." },
  {
    slug: "limits",
    file: "limits.md",
    summary: "How many requests pass, what the headers promise, and when a key is banned.",
  },
  {
    slug: "errors",
    file: "errors.md",
    summary: "Every error code: what it means, what usually causes it, and what to do.",
  },
  {
    slug: "publishing",
    file: "publishing.md",
    summary: "Sites made of your animals: projects, deploys and the storefront.",
  },
  {
    slug: "custom-domains",
    file: "custom-domains.md",
    summary: "A site at a name of your own, and its certificate.",
  },
  {
    slug: "findings",
    file: "findings.md",
    summary: "What is found when a domain is looked at, and how to mend it.",
  },
  {
    slug: "management",
    file: "management.md",
    summary: "The API behind the dashboard and the commands.",
  },
  {
    slug: "operating",
    file: "operating.md",
    summary: "Running the program: options, commands, backups, watching.",
  },
  {
    slug: "embedding",
    file: "embedding.md",
    summary: "The service within a program of your own.",
  },
];

/** Files of `docs/` that pages lead to, with their media types. */
export const manualFiles: Readonly<Record<string, string>> = {
  "petstore.service": "text/plain; charset=utf-8",
  "petstore.site.schema.json": "application/json; charset=utf-8",
};
