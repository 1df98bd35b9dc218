import { faultOfSlug } from "./model/slug.ts";

/** The part of a host's paths that one service answers, as `areaAt` tells it. */
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
  /** What is ours on every host, and that no deploy can take: `/manage`, challenges of ACME. */
  | "reserved"
  | "page";

/** What a request is answered by; `nothing` is the page that tells nothing. */
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

/** What a host name stands for. */
export type Host =
  | { readonly kind: "base" | "staging" | "unknown" }
  /** A name that a project may have; whether one has it is for `Sites` to say. */
  | { readonly kind: "project"; readonly slug: string }
  /** A name that a deploy may be looked at under; whether there is one is for `Previews` to say. */
  | { readonly kind: "preview"; readonly slug: string; readonly deployId: string };

/** Which host serves what: the whole of it. The listener for plain HTTP tells the state whatever it is called. */
const SERVED: Readonly<Record<Host["kind"], Readonly<Record<Area, Service>>>> = {
  base: {
    state: "state",
    api: "production",
    management: "management",
    setup: "dashboard",
    reference: "reference",
    help: "help",
    reserved: "nothing",
    page: "dashboard",
  },
  staging: {
    state: "state",
    api: "staging",
    management: "nothing",
    setup: "nothing",
    reference: "reference",
    help: "nothing",
    reserved: "nothing",
    page: "nothing",
  },
  project: {
    state: "state",
    api: "production",
    management: "nothing",
    setup: "site",
    reference: "reference",
    help: "site",
    reserved: "nothing",
    page: "site",
  },
  // For eyes alone: whatever else there is has its own host.
  preview: {
    state: "state",
    api: "nothing",
    management: "nothing",
    setup: "site",
    reference: "nothing",
    help: "site",
    reserved: "nothing",
    page: "site",
  },
  unknown: {
    state: "state",
    api: "nothing",
    management: "nothing",
    setup: "nothing",
    reference: "nothing",
    help: "nothing",
    reserved: "nothing",
    page: "nothing",
  },
};

export function serviceAt({ kind }: Host, area: Area): Service {
  return SERVED[kind][area];
}

export interface HostOptions {
  readonly baseDomain: string;
  /** Where `<slug>` lives. */
  readonly sitesDomain: string;
  /** There is no DNS for the base domain: whatever name is no project's leads to the same services. */
  readonly anyName: boolean;
  /** A listener of Staging knows no projects, and Staging alone. Default `production`. */
  readonly listener?: "production" | "staging";
}

/** Reads what follows `Host:`. Most requests name the host that the one before them named: that one is remembered. */
export function hostTable(options: HostOptions): (authority: string) => Host {
  let known = "";
  let leadsTo = hostOf(known, options);
  return (authority) => {
    if (authority !== known) {
      leadsTo = hostOf(authority, options);
      known = authority;
    }
    return leadsTo;
  };
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

/** What no slug looks like: those of projects have no two hyphens in a row. */
const PREVIEW = /^([a-z][a-z0-9]{19})--(.+)$/;

/** First label of the host at which a deploy can be looked at: at most 62 characters. */
export function previewLabel(slug: string, deployId: string): string {
  return `${deployId}--${slug}`;
}

function ofProject(label: string): Host {
  const [, deployId, slug = label] = PREVIEW.exec(label) ?? [];
  if (faultOfSlug(slug) !== undefined) return UNKNOWN;
  return deployId === undefined ? { kind: "project", slug } : { kind: "preview", slug, deployId };
}

const AUTHORITY = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{0,5})?$/;

/** Without port, brackets and the dot of the root, in lower case; empty for what can be no host with a port. */
export function hostName(authority: string): string {
  const [, address, host = address ?? ""] = AUTHORITY.exec(authority) ?? [];
  const lower = host.toLowerCase();
  return lower.endsWith(".") ? lower.slice(0, -1) : lower;
}

/** The area of the path that begins at `start` of `target`; a query may follow it. Paths are exact, and not decoded. */
export function areaAt(target: string, start = 0): Area {
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
  if (!target.startsWith(path, start)) return false;
  const next = target.charAt(start + path.length);
  return next === "" || next === "?" || next === "#";
}

/** `/v1` itself or below; `/v10` is something else. */
function isOrBelow(path: string, target: string, start: number): boolean {
  return is(path, target, start) || target.startsWith(`${path}/`, start);
}
