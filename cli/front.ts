import type { Environment, FetchContext } from "../lib/index.ts";
import type { Petstores } from "./composition.ts";
import { forwarded } from "./forwarded.ts";
import { hostsOf } from "./hosts.ts";

/** The part of Bun's server that knows who is asking. */
interface Remote {
  requestIP(request: Request): { readonly address: string } | null;
}

export type Handler = (request: Request, server: Remote) => Response | Promise<Response>;

export type Readiness = "ready" | "draining" | "unavailable";

export interface FrontOptions {
  readonly petstores: Petstores;
  readonly baseDomain: string;
  /** Undefined when there is no trusted proxy. */
  readonly trusted: ((address: string) => boolean) | undefined;
  /** What `/readyz` says, unless we are about to leave. */
  readonly ready: () => Promise<Readiness>;
}

/** What stands before the API: which host serves what, and the state of the process. */
export interface Front {
  /** Answers what came in by the listener of that environment. */
  handle(listener: Environment, request: Request, server: Remote): Response | Promise<Response>;
  /** From now on we are not ready, and clients are told to take another connection. */
  drain(): void;
  /** How many requests to the API came so far. */
  readonly requests: number;
}

export function createFront({ petstores, baseDomain, trusted, ready }: FrontOptions): Front {
  let requests = 0;
  let draining = false;
  const hosts = {
    production: hostsOf(baseDomain, "production"),
    staging: hostsOf(baseDomain, "staging"),
  };

  const arrival = (request: Request, server: Remote, pathStart: number): Arrival => {
    const { url, headers } = request;
    const address = (): string | undefined => server.requestIP(request)?.address;
    const hostStart = pathStart === 0 ? 0 : url.indexOf("//") + 2;
    const host = url.slice(hostStart, pathStart);
    const by = trusted === undefined ? undefined : forwarded(headers, address() ?? "", trusted);
    if (by === undefined) return { host, context: { address } };
    const scheme = by.scheme ?? (url.startsWith("https:") ? "https" : "http");
    const asked = by.host ?? host;
    const origin = asked === "" ? {} : { origin: `${scheme}://${asked}` };
    return { host: asked, context: { address: by.address, ...origin } };
  };

  return {
    handle: (listener, request, server) => {
      const { url, method } = request;
      // Bun gives the path alone when the client names no host (HTTP/1.0), or none that can be one.
      const pathStart = url.startsWith("/") ? 0 : url.indexOf("/", "https://".length);
      if (!isVersion(url, pathStart)) {
        const is = draining ? async (): Promise<Readiness> => "draining" : ready;
        return state(method, pathOf(url, pathStart), is) ?? notFound();
      }
      const { host, context } = arrival(request, server, pathStart);
      const environment = hosts[listener](host);
      if (environment === undefined) return notFound();
      requests++;
      const answer = petstores[environment].fetch(request, context);
      return draining ? leaving(answer) : answer;
    },
    drain: () => {
      draining = true;
    },
    get requests() {
      return requests;
    },
  };
}

/** Which host was asked, and by whom. */
interface Arrival {
  readonly host: string;
  readonly context: FetchContext;
}

/** `/v1` itself or below; `/v10` is something else. */
function isVersion(url: string, pathStart: number): boolean {
  if (!url.startsWith("/v1", pathStart)) return false;
  const next = url.charAt(pathStart + "/v1".length);
  return next === "/" || next === "" || next === "?" || next === "#";
}

function pathOf(url: string, pathStart: number): string {
  const end = url.slice(pathStart).search(/[?#]/);
  return end === -1 ? url.slice(pathStart) : url.slice(pathStart, pathStart + end);
}

function state(
  method: string,
  path: string,
  ready: () => Promise<Readiness>,
): Response | Promise<Response> | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (path === "/livez") return stateResponse(200, "alive");
  if (path !== "/readyz") return undefined;
  return ready().then((is) => stateResponse(is === "ready" ? 200 : 503, is));
}

function stateResponse(status: number, text: string): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}

const NOT_FOUND =
  '<!doctype html><html lang="en"><title>Not found</title><h1>Not found</h1></html>\n';

/** The same for everything that is not there, so that it tells nothing. */
function notFound(): Response {
  return new Response(NOT_FOUND, {
    status: 404,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'",
      "x-content-type-options": "nosniff",
    },
  });
}

async function leaving(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set("connection", "close");
  return response;
}
