import { isPromise, type Eventual } from "../../lib/base/eventual.ts";
import { normalTarget } from "../../lib/base/normal-path.ts";
import type { Environment, Petstore, Servers } from "../../lib/index.ts";
import {
  areaAt,
  hostTable,
  serviceAt,
  unknownPage,
  type Found,
  type Host,
  type Publishing,
  type Service,
  hostName,
} from "../../lib/publishing/index.ts";
import type { ManagementContext } from "../../lib/management/index.ts";
import { arrivals, isMisnamed, originOf, type Arrival, type Remote } from "./arrival.ts";
import type { GuideSite } from "../../dashboard/guides/serve.ts";
import type { Dashboard } from "../../dashboard/serve.ts";
import { refusal } from "../../adapters/hosts/bridge.ts";
import { customHosts, withTransport, type CustomHostsOptions } from "./custom-hosts.ts";
import { isLocal } from "../../settings/domain-names.ts";
import type { GuideHost } from "../../dashboard/guides/guides.ts";

/** The part of Bun's server that a request needs. */
export interface Connections extends Remote {
  /** Closes the connection after that many idle seconds: at most 255; 0 means never. */
  timeout(request: Request, seconds: number): void;
}

export type Handler = (request: Request, server: Connections) => Eventual<Response>;

export interface FrontOptions {
  readonly petstores: Readonly<Record<Environment, Pick<Petstore, "fetch">>>;
  readonly management: {
    fetch(request: Request, context: ManagementContext): Eventual<Response>;
  };
  readonly publishing: Pick<Publishing, "sites" | "visit">;
  readonly dashboard: Dashboard;
  readonly guides: GuideSite;
  /** Serves the links in mails, on the host of the dashboard; undefined for other paths. Default: no links. */
  readonly mails?: (request: Request, path: string) => Promise<Response> | undefined;
  /** Addresses for visitors, `/v1` included. */
  readonly servers: Servers;
  /** Address of the base domain. */
  readonly address: string;
  readonly baseDomain: string;
  readonly sitesDomain: string;
  /** Returns the address of a project's site by its slug. */
  readonly addressOf: (slug: string) => string;
  /** `max-age` of Strict-Transport-Security for our own hosts; 0 sends no header. */
  readonly hstsSeconds: number;
  /** Default: no custom domains, and no HTTPS. */
  readonly custom?: CustomHostsOptions;
  /** Undefined if no proxy is trusted. */
  readonly trusted: ((address: string) => boolean) | undefined;
  /** Returns the state for `/readyz`, unless the server drains. */
  readonly ready: () => Promise<Readiness>;
}

/** The entrance to everything that is served: routes by host, and reports the state of the process. */
export interface Front {
  /** Answers a request to the listener of that environment. */
  handle(listener: Environment, request: Request, server: Connections): Eventual<Response>;
  /** From now on `/readyz` reports `draining`, and responses close their connections. */
  drain(): void;
  readonly draining: boolean;
  /** Number of requests so far, without those for the state. */
  readonly requests: number;
}

/** The connection of a deploy may be idle for longer while it is processed. */
const CHANGE_IDLE_SECONDS = 240;

export function createFront(options: FrontOptions): Front {
  const { petstores, management, publishing, dashboard, guides, addressOf } = options;
  const { servers, address } = options;
  const guideHosts = { servers, address, anyName: isLocal(options.baseDomain) };
  let requests = 0;
  let draining = false;
  const arrive = arrivals(options.trusted);
  const hosts = hostTables(options);
  const decide = options.custom === undefined ? undefined : customHosts(options.custom);
  const ready = async (): Promise<Readiness> => (draining ? "draining" : options.ready());

  /** The host of a renamed project gets its certificate some seconds later. */
  const isReady = (slug: string): boolean => {
    const { protocol, hostname } = new URL(addressOf(slug));
    return protocol !== "https:" || (options.custom?.hasCertificate?.(hostname) ?? true);
  };

  const manage = async (
    request: Request,
    { context }: Arrival,
    server: Connections,
  ): Promise<Response> => {
    const reads = request.method === "GET" || request.method === "HEAD";
    if (!reads) server.timeout(request, CHANGE_IDLE_SECONDS);
    const response = await management.fetch(request, context);
    const type = response.headers.get("content-type");
    if (type?.startsWith("text/event-stream") === true) server.timeout(request, 0);
    return response;
  };

  const visit = (
    request: Request,
    slug: string,
    arrival: Arrival,
    deployId?: string,
  ): Eventual<Response> => {
    const origin = originOf(request, arrival) ?? addressOf(slug);
    const { address: from } = arrival.context;
    const client = typeof from === "string" ? (): string => from : from;
    const context = { slug, origin, addressOf, isReady, address: client };
    return publishing.visit(request, deployId === undefined ? context : { ...context, deployId });
  };

  /** Serves our own routes on a project's host, if the project exists. */
  const onProject = (
    request: Request,
    slug: string,
    arrival: Arrival,
    ours: () => Eventual<Response>,
  ): Eventual<Response> => {
    const answer = (found: Found | undefined): Eventual<Response> =>
      found === undefined || (found.kind === "moved" && isReady(found.slug))
        ? visit(request, slug, arrival)
        : ours();
    // If the store is unavailable, the API reports that, and so for every slug.
    let found: Eventual<Found | undefined>;
    try {
      found = publishing.sites.bySlug(slug);
    } catch {
      return ours();
    }
    return isPromise(found) ? found.then(answer, ours) : answer(found);
  };

  const guide = (
    kind: "reference" | "help",
    request: Request,
    arrival: Arrival,
    host: Host["kind"],
  ): Eventual<Response> =>
    guides[kind](
      request,
      pathOf(request.url, arrival.pathStart),
      guideHost(guideHosts, host, originOf(request, arrival)),
    );

  /** Serves our `/llms.txt` on a project's host, unless the site has its own. */
  const siteOrIndex = async (
    request: Request,
    slug: string,
    arrival: Arrival,
  ): Promise<Response> => {
    const own = await visit(request, slug, arrival);
    if (own.status !== 404 || pathOf(request.url, arrival.pathStart) !== "/llms.txt") return own;
    return onProject(request, slug, arrival, () => guide("help", request, arrival, "project"));
  };

  const route = (
    listener: Environment,
    request: Request,
    arrival: Arrival,
    server: Connections,
  ): Eventual<Response> => {
    const area = areaAt(request.url, arrival.pathStart);
    if (area !== "state") requests++;
    // The Staging port has no certificates and no custom domains.
    const asked = area !== "state" && listener === "production";
    const decision = asked ? decide?.(request, arrival) : undefined;
    switch (decision?.kind) {
      case "answered":
        return decision.response;
      case "refused": {
        const context = { ...arrival.context, httpsRequired: true };
        const api = area === "management" ? management : petstores.production;
        return api.fetch(request, context);
      }
      case "site": {
        const { slug } = decision.route;
        const host = { kind: "project", slug } as const;
        const answered = answer(serviceAt(host, area), request, host, arrival, server);
        return withTransport(answered, decision.route, arrival.secure);
      }
      case "ours":
      case undefined: {
        const host = hosts[listener](arrival.host);
        const answered = answer(serviceAt(host, area), request, host, arrival, server);
        return host.kind === "unknown"
          ? answered
          : withTransport(answered, options, arrival.secure);
      }
    }
  };

  const answer = (
    service: Service,
    request: Request,
    host: Host,
    arrival: Arrival,
    server: Connections,
  ): Eventual<Response> => {
    const { method } = request;
    const slug = host.kind === "project" ? host.slug : undefined;
    switch (service) {
      case "production": {
        const api = petstores.production;
        if (slug === undefined) return api.fetch(request, arrival.context);
        return onProject(request, slug, arrival, () => api.fetch(request, arrival.context));
      }
      case "reference": {
        const page = (): Response | Promise<Response> =>
          guide("reference", request, arrival, host.kind);
        return slug === undefined ? page() : onProject(request, slug, arrival, page);
      }
      case "help":
        return guide("help", request, arrival, host.kind);
      case "staging":
        return petstores.staging.fetch(request, arrival.context);
      case "management":
        return manage(request, arrival, server);
      case "site":
        if (host.kind === "preview") return visit(request, host.slug, arrival, host.deployId);
        if (slug === undefined) return unknownPage(method);
        return areaAt(request.url, arrival.pathStart) === "help"
          ? siteOrIndex(request, slug, arrival)
          : visit(request, slug, arrival);
      case "dashboard": {
        const path = pathOf(request.url, arrival.pathStart);
        return options.mails?.(request, path) ?? dashboard.fetch(request, path);
      }
      case "state":
        return state(method, pathOf(request.url, arrival.pathStart), ready) ?? unknownPage(method);
      case "nothing":
        return unknownPage(method);
    }
  };

  return {
    handle: (listener, request, server) => {
      if (isMisnamed(request)) {
        return refusal("invalid_value", "The request needs one Host header with a host name.");
      }
      const arrival = arrive(request, server);
      const answered = route(listener, request, arrival, server);
      return draining ? leaving(answered) : answered;
    },
    drain: () => {
      draining = true;
    },
    get draining() {
      return draining;
    },
    get requests() {
      return requests;
    },
  };
}

function hostTables({
  baseDomain,
  sitesDomain,
}: FrontOptions): Readonly<Record<Environment, (authority: string) => Host>> {
  const table = { baseDomain, sitesDomain, anyName: isLocal(baseDomain) };
  return { production: hostTable(table), staging: hostTable({ ...table, listener: "staging" }) };
}

/** Returns the normal path of the request, without its query. */
function pathOf(url: string, start: number): string {
  const end = url.indexOf("?", start);
  return normalTarget(end === -1 ? url.slice(start) : url.slice(start, end));
}

async function leaving(answer: Eventual<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set("connection", "close");
  return response;
}

export type Readiness = "ready" | "draining" | "unavailable";

/** Answers `/livez` and `/readyz`; undefined for methods other than GET and HEAD. */
function state(
  method: string,
  path: string,
  ready: () => Promise<Readiness>,
): Response | Promise<Response> | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (path === "/livez") return stateResponse(200, "alive");
  return ready().then((is) => stateResponse(is === "ready" ? 200 : 503, is));
}

function stateResponse(status: number, text: string): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}

/** The addresses that the reference and the help show. */
export interface GuideHosts {
  /** Addresses for visitors, `/v1` included. */
  readonly servers: Servers;
  /** Address of the base domain. */
  readonly address: string;
  /** Whether any host name is accepted, so that a visitor's name for us also works for our other ports. */
  readonly anyName: boolean;
}

/** An origin that needs no escaping in addresses, headers and pages. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]{1,300}$/;

/** Returns the addresses to show to a visitor who used the origin `asked`. */
export function guideHost(
  { servers, address, anyName }: GuideHosts,
  kind: Host["kind"],
  asked: string | undefined,
): GuideHost {
  const known = kind === "staging" ? servers.staging.slice(0, -"/v1".length) : address;
  const origin = asked !== undefined && ORIGIN.test(asked) ? asked : known;
  const named = (other: string): string =>
    anyName && kind !== "project" ? withNameOf(origin, other) : other;
  const base = kind === "base";
  return {
    origin,
    production: kind === "staging" ? named(servers.production) : `${origin}/v1`,
    staging: kind === "staging" ? `${origin}/v1` : named(servers.staging),
    help: base ? "" : named(address),
    dashboard: base,
  };
}

/** Replaces the host of `other` by that of `origin`; `localhost` and names below it are kept. */
function withNameOf(origin: string, other: string): string {
  const authority = origin.slice(origin.indexOf("//") + 2);
  const name = hostName(authority);
  if (name.endsWith("localhost")) return other;
  return other.replace(/(?<=:\/\/)(?:\[[^\]]*\]|[^:/]+)/, name.includes(":") ? `[${name}]` : name);
}
