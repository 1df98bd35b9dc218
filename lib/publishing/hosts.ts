import { aBoolean, aText, checkOptions, oneOf, optional } from "../base/options.ts";
import { remembered } from "../base/cache.ts";
import { normalTarget } from "../base/normal-path.ts";
import { faultOfSlug } from "./model/slug.ts";

/** A set of paths on a host, served by one service. */
export type Area =
  /** `/livez`, `/readyz` */
  | "state"
  /** `/v1` and below */
  | "api"
  /** `/manage/v1` and below */
  | "management"
  | "setup"
  /** `/docs` and below */
  | "reference"
  /** `/help` and below, `/llms.txt` */
  | "help"
  /** Paths that no deploy can use: `/manage`, ACME challenges. */
  | "reserved"
  | "page";

/** The service that handles a request. `nothing` is a 404 page that reveals nothing about the host. */
export type Service =
  | "state"
  | "production"
  | "staging"
  | "management"
  | "dashboard"
  | "reference"
  | "help"
  | "site"
  | "nothing";

/** The target of a host name. */
export type Host =
  | { readonly kind: "base" | "staging" | "unknown" }
  /** A possible project; `Sites` knows whether it exists. */
  | { readonly kind: "project"; readonly slug: string }
  /** A possible preview of a deploy; `Previews` knows whether it exists. */
  | { readonly kind: "preview"; readonly slug: string; readonly deployId: string };

type Services = Readonly<Record<Area, Service>>;

const UNSERVED: Services = {
  state: "state",
  api: "nothing",
  management: "nothing",
  setup: "nothing",
  reference: "nothing",
  help: "nothing",
  reserved: "nothing",
  page: "nothing",
};

/** A site without the API and the reference. */
const SITE: Services = { ...UNSERVED, setup: "site", help: "site", page: "site" };

/** Defines which host serves which area. The plain HTTP listener answers `state` on every host. */
const SERVED: Readonly<Record<Host["kind"], Services>> = {
  base: {
    ...UNSERVED,
    api: "production",
    management: "management",
    setup: "dashboard",
    reference: "reference",
    help: "help",
    page: "dashboard",
  },
  staging: { ...UNSERVED, api: "staging", reference: "reference" },
  project: { ...SITE, api: "production", reference: "reference" },
  preview: SITE,
  unknown: UNSERVED,
};

/** Returns what serves an area of paths on a host. */
export function serviceAt({ kind }: Host, area: Area): Service {
  return SERVED[kind][area];
}

/** The names under which an installation is reached. */
export interface HostOptions {
  /** The domain of the service, such as `pets.example.org`. */
  readonly baseDomain: string;
  /** The parent domain of the projects' hosts, `<slug>.<sitesDomain>`. */
  readonly sitesDomain: string;
  /** Serves the base services at every name other than a project's, because the base domain has no DNS. */
  readonly anyName: boolean;
  /** The staging listener serves only Staging and no projects. Default `production`. */
  readonly listener?: "production" | "staging";
}

/**
 * Returns a parser of the `Host` header. It remembers hosts: most requests are for a few of them. Throws a `TypeError`
 * for invalid options.
 */
export function hostTable(options: HostOptions): (authority: string) => Host {
  checkOptions("hostTable", options, {
    baseDomain: aText,
    sitesDomain: aText,
    anyName: aBoolean,
    listener: optional(oneOf(["production", "staging"])),
  });
  return remembered((authority) => hostOf(authority, options));
}

const BASE: Host = { kind: "base" };
const STAGING: Host = { kind: "staging" };
const UNKNOWN: Host = { kind: "unknown" };

function hostOf(authority: string, options: HostOptions): Host {
  const { baseDomain, sitesDomain, anyName, listener = "production" } = options;
  const name = hostName(authority);
  const base = listener === "staging" ? STAGING : BASE;
  if (name === baseDomain) return base;
  if (name === `staging.${baseDomain}`) return STAGING;
  if (name.endsWith(`.${sitesDomain}`)) {
    const label = name.slice(0, -sitesDomain.length - 1);
    return listener === "production" ? ofProject(label) : UNKNOWN;
  }
  return anyName ? base : UNKNOWN;
}

/** Never a project's slug, because slugs have no two hyphens in a row. */
const PREVIEW = /^([a-z][a-z0-9]{19})--(.+)$/;

/** Returns the first label of a preview's host: at most 62 characters. */
export function previewLabel(slug: string, deployId: string): string {
  return `${deployId}--${slug}`;
}

function ofProject(label: string): Host {
  const [, deployId, slug = label] = PREVIEW.exec(label) ?? [];
  if (faultOfSlug(slug) !== undefined) return UNKNOWN;
  return deployId === undefined ? { kind: "project", slug } : { kind: "preview", slug, deployId };
}

const AUTHORITY = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{0,5})?$/;

/** Returns the host in lower case without port, brackets and trailing dot; empty when `authority` is malformed. */
export function hostName(authority: string): string {
  const [, address, host = address ?? ""] = AUTHORITY.exec(authority) ?? [];
  const lower = host.toLowerCase();
  return lower.endsWith(".") ? lower.slice(0, -1) : lower;
}

/** Finds the area of a request's target, which begins at `start` of its URL. */
export function areaAt(url: string, start = 0): Area {
  return url.includes("%", start)
    ? areaOfPath(normalTarget(url.slice(start)))
    : areaOfPath(url, start);
}

/** Finds the area of the normal path that begins at `start` of `target`, with or without a query. Paths match exactly. */
export function areaOfPath(target: string, start = 0): Area {
  if (isOrBelow("/v1", target, start)) return "api";
  if (isOrBelow("/manage/v1", target, start)) return "management";
  if (is("/livez", target, start) || is("/readyz", target, start)) return "state";
  if (is("/setup", target, start)) return "setup";
  if (isOrBelow("/docs", target, start)) return "reference";
  if (isOrBelow("/help", target, start) || is("/llms.txt", target, start)) return "help";
  return RESERVED.some((path) => isOrBelow(path, target, start)) ? "reserved" : "page";
}

const RESERVED = ["/manage", "/.well-known/acme-challenge"] as const;

function is(path: string, target: string, start: number): boolean {
  return target.startsWith(path, start) && endsAt(target, start + path.length);
}

/** `/v1` itself or a path below it, but not `/v10`. */
function isOrBelow(path: string, target: string, start: number): boolean {
  const end = start + path.length;
  return (
    target.startsWith(path, start) && (target.charCodeAt(end) === SLASH || endsAt(target, end))
  );
}

const [SLASH, QUESTION_MARK, HASH] = [0x2f, 0x3f, 0x23];

function endsAt(target: string, index: number): boolean {
  const code = target.charCodeAt(index);
  return code === QUESTION_MARK || code === HASH || index === target.length;
}
