/** A language of the help. English is complete; German has the pages that people of a shelter read. */
export type Language = "en" | "de";

/** A page of the manual. */
export interface ManualPage {
  /** The last part of the address: `/help/limits`. */
  readonly slug: string;
  /** File name in `docs/`. */
  readonly file: string;
  /** A one-line summary. */
  readonly summary: string;
  readonly german: {
    /** The summary in German. */
    readonly summary: string;
    /** Whether `docs/de/` has the page. */
    readonly translated: boolean;
    /** The anchor of the first section that is only in English, with those after it. Default: none. */
    readonly until?: string;
  };
}

/** The pages of `docs/` for users, in order. */
export const manualPages: readonly ManualPage[] = [
  {
    slug: "shelters",
    file: "shelters.md",
    summary: "From the list of animals you have to a site that answers visitors.",
    german: {
      translated: true,
      summary: "Von der Liste Ihrer Tiere zur Website, die Besuchern antwortet.",
    },
  },
  {
    slug: "dashboard",
    file: "dashboard.md",
    summary: "Signing in, members and roles, and what each page does.",
    german: {
      translated: true,
      summary: "Anmelden, Personen und Rollen, und was jede Seite kann.",
    },
  },
  {
    slug: "api",
    file: "api.md",
    summary: "Conventions of the API beyond its OpenAPI description.",
    german: {
      translated: false,
      summary: "Was für alle Aufrufe der API gilt, über die OpenAPI-Beschreibung hinaus.",
    },
  },
  {
    slug: "limits",
    file: "limits.md",
    summary: "Rate limits, their headers, and bans.",
    german: { translated: false, summary: "Limits, die Header dazu, und Sperren von Schlüsseln." },
  },
  {
    slug: "requests",
    file: "requests.md",
    summary: "The log of API requests: find a request by its ID, and why it got its answer.",
    german: {
      translated: false,
      summary:
        "Das Protokoll der API-Anfragen: eine Anfrage anhand ihrer ID finden, und warum sie ihre Antwort bekam.",
    },
  },
  {
    slug: "errors",
    file: "errors.md",
    summary: "Every error code: its meaning, common causes, and fixes.",
    german: {
      translated: true,
      summary: "Jeder Fehlercode: was er bedeutet, woher er meist kommt und was hilft.",
    },
  },
  {
    slug: "publishing",
    file: "publishing.md",
    summary: "Websites with your animals: projects, deploys and the storefront.",
    german: {
      translated: false,
      summary: "Websites mit Ihren Tieren: Projekte, Versionen und die fertige Tierseite.",
    },
  },
  {
    slug: "custom-domains",
    file: "custom-domains.md",
    summary: "Your own domain for a site, and its certificate.",
    german: {
      translated: true,
      until: "commands",
      summary: "Eine eigene Domain für eine Website, und ihr Zertifikat.",
    },
  },
  {
    slug: "findings",
    file: "findings.md",
    summary: "What a domain check can find, and how to fix it.",
    german: {
      translated: true,
      summary: "Was eine Prüfung der Domain ergeben kann, und wie Sie es beheben.",
    },
  },
  {
    slug: "management",
    file: "management.md",
    summary: "The API behind the dashboard and the CLI.",
    german: { translated: false, summary: "Die API hinter dem Dashboard und den Befehlen." },
  },
  {
    slug: "operating",
    file: "operating.md",
    summary: "Running the program: options, commands, backups and monitoring.",
    german: {
      translated: false,
      summary: "Das Programm betreiben: Optionen, Befehle, Sicherungen und Überwachung.",
    },
  },
  {
    slug: "runbook",
    file: "runbook.md",
    summary: "The alarms that wake an operator, and what to do about each.",
    german: {
      translated: false,
      summary: "Die Alarme, die einen Betreiber wecken, und was jeweils zu tun ist.",
    },
  },
  {
    slug: "mail",
    file: "mail.md",
    summary:
      "Invitations, password links, enquiries and mails about events: setup, limits and problems.",
    german: {
      translated: false,
      summary:
        "Einladungen, Passwort-Links, Anfragen und Mails über Ereignisse: Einrichtung, Grenzen und Probleme.",
    },
  },
  {
    slug: "audit",
    file: "audit.md",
    summary: "Who did what, from where and when, and how to check that nobody changed the log.",
    german: {
      translated: false,
      summary:
        "Wer was wann und von wo getan hat, und wie sich prüfen lässt, dass niemand das Protokoll geändert hat.",
    },
  },
  {
    slug: "webhooks",
    file: "webhooks.md",
    summary: "Sending events to your own address: signatures, retries, replay, and every type.",
    german: {
      translated: false,
      summary:
        "Ereignisse an eine eigene Adresse senden: Signaturen, Wiederholungen und alle Arten.",
    },
  },
  {
    slug: "export-format",
    file: "export-format.md",
    summary: "The files of a whole installation that `petstore export --all` writes.",
    german: {
      translated: false,
      summary: "Die Dateien einer ganzen Installation, wie petstore export --all sie schreibt.",
    },
  },
  {
    slug: "embedding",
    file: "embedding.md",
    summary: "Using the service in your own program.",
    german: { translated: false, summary: "Petstore in einem eigenen Programm verwenden." },
  },
  {
    slug: "embedding-types",
    file: "embedding-types.md",
    summary: "TypeScript settings, CommonJS, and what the types need.",
    german: {
      translated: false,
      summary: "Einstellungen für TypeScript, CommonJS, und was die Typen brauchen.",
    },
  },
  {
    slug: "embedding-domains",
    file: "embedding-domains.md",
    summary: "Custom domains for the tenants of your own program.",
    german: {
      translated: false,
      summary: "Eigene Domains für die Mandanten eines eigenen Programms.",
    },
  },
  {
    slug: "embedding-database",
    file: "embedding-database.md",
    summary: "Using a database that has tables and a migration tool of your own program.",
    german: {
      translated: false,
      summary: "Eine Datenbank mit eigenen Tabellen und Migrationen mitbenutzen.",
    },
  },
  {
    slug: "embedding-telemetry",
    file: "embedding-telemetry.md",
    summary: "Metrics and traces of your own program, with OpenTelemetry.",
    german: {
      translated: false,
      summary: "Metriken und Traces eines eigenen Programms, mit OpenTelemetry.",
    },
  },
  {
    slug: "embedding-users",
    file: "embedding-users.md",
    summary: "Putting the service behind the login of your own program.",
    german: {
      translated: false,
      summary: "Petstore hinter der Anmeldung eines eigenen Programms verwenden.",
    },
  },
  {
    slug: "embedding-durable-objects",
    file: "embedding-durable-objects.md",
    summary: "Using the service on Cloudflare, with the SQLite storage of a Durable Object.",
    german: {
      translated: false,
      summary: "Petstore bei Cloudflare verwenden, mit dem SQLite-Speicher eines Durable Object.",
    },
  },
  {
    slug: "embedding-events",
    file: "embedding-events.md",
    summary:
      "Handling events in your own program, and background work from a queue or a scheduler.",
    german: {
      translated: false,
      summary:
        "Ereignisse im eigenen Programm verarbeiten, und Hintergrundarbeit aus einer Warteschlange oder nach Zeitplan.",
    },
  },
  {
    slug: "client",
    file: "client.md",
    summary: "The typed client of the API, and clients that you generate.",
    german: {
      translated: false,
      summary: "Der typisierte Client der API, und Clients, die Sie erzeugen.",
    },
  },
];

/** Files of `docs/` that pages link to, with their media types. */
export const manualFiles: Readonly<Record<string, string>> = {
  "petstore.service": "text/plain; charset=utf-8",
  "petstore.site.schema.json": "application/json; charset=utf-8",
};

/** Returns the address of a page in a language, or in English if it is not translated. */
export function helpPath({ slug, german }: ManualPage, language: Language): string {
  return language === "de" && german.translated ? `/help/de/${slug}` : `/help/${slug}`;
}

/**
 * Translates a link in `docs/` or `docs/de/` into one within the help; undefined when the help does not have its
 * target.
 */
export function helpLink(href: string, language: Language = "en"): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [link = "", fragment] = href.split("#", 2);
  const above = link.startsWith("../");
  const file = language === "de" && above ? link.slice("../".length) : link;
  const page = manualPages.find((one) => one.file === file);
  if (page !== undefined) {
    const path = helpPath(page, above ? "en" : language);
    return fragment === undefined ? path : `${path}#${fragment}`;
  }
  return Object.hasOwn(manualFiles, file) ? `/help/${file}` : undefined;
}
