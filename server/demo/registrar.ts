import { randomBytes } from "node:crypto";

import type { Server } from "../start.ts";
import { must } from "../../settings/failure.ts";
import { clearWay, mistaken, mistakes } from "./mistakes.ts";
import {
  plainPage,
  SCRIPT,
  STYLE,
  zonePage,
  type AskedDomain,
  type ZonePage,
} from "./registrar-page.ts";
import {
  typeIn,
  type EnteredRecord,
  type RegistrarZone,
} from "../../testing/domains/sandbox/registrar-zone.ts";
import { wordsFor } from "./registrar-words.ts";
import { DOMAIN_TO_ADD, MAIN_PROJECT } from "./story.ts";
import type { Visitor } from "./history.ts";

/** The web server of the demo's registrar. It also signs the visitor in. */
export interface Registrar {
  readonly address: string;
  /** Returns a link that signs a browser in, once; the one before ends. A secret. */
  newLink(): string;
  close(): Promise<void>;
}

export interface RegistrarOptions {
  readonly zone: RegistrarZone;
  /** PEM. */
  readonly root: string;
  readonly petstore: Pick<Server, "management" | "dashboard">;
  readonly visitor: Pick<Visitor, "email" | "password">;
  /** Returns the address of a live domain. */
  readonly originOf: (domain: string) => string;
  /** Called with another link when one was opened a second time. */
  readonly onLink: (link: string) => void;
}

const ADDRESS = "127.0.0.1";
const MAX_BODY = 10_000;
const EMPTY: EnteredRecord = { label: "", type: "CNAME", value: "" };

/** Starts it on a free port of the loopback interface. */
export async function startRegistrar(options: RegistrarOptions): Promise<Registrar> {
  const { zone, root, petstore, visitor, originOf, onLink } = options;
  let origin = "";
  let token: string | undefined;
  let used: string | undefined;
  const known = randomBytes(18).toString("base64url");

  const newLink = (): string => {
    token = randomBytes(18).toString("base64url");
    return `${origin}/sign-in/${token}`;
  };

  const askedDomains = async (): Promise<readonly AskedDomain[]> => {
    const domains = must(await petstore.management.all("GET /domains", { query: {} }));
    // The newest first: the visitor just added it.
    return domains.toReversed().flatMap(({ domain, project, status, records }): AskedDomain[] => {
      const wanted = records.find(({ required }) => required) ?? records[0];
      if (wanted === undefined || status === "removed") return [];
      const page = `${petstore.dashboard}projects/${project}/domains/${domain}`;
      const liveAt = status === "live" ? `${originOf(domain)}/` : undefined;
      return [{ domain, page, liveAt, wanted }];
    });
  };

  const show = async (
    request: Request,
    given: Partial<Pick<ZonePage, "form" | "editing" | "note" | "fault">>,
  ): Promise<Response> => {
    const words = wordsFor(request.headers.get("accept-language"));
    const isVisitor = request.headers.get("cookie")?.includes(`${COOKIE}=${known}`) === true;
    const page = zonePage({
      ...{ form: EMPTY, editing: undefined, note: undefined, fault: undefined },
      ...given,
      words,
      apex: zone.apex,
      records: zone.records,
      asked: await askedDomains(),
      domainToAdd: DOMAIN_TO_ADD,
      domainsPage: `${petstore.dashboard}projects/${MAIN_PROJECT.slug}/domains`,
      password: isVisitor ? visitor.password : undefined,
    });
    return html(page, given.fault === undefined ? 200 : 422);
  };

  /** Shows the form: empty, with what is asked for, or with a record to change. */
  const showZone = (request: Request, query: URLSearchParams): Promise<Response> => {
    const editing = zone.records.find(({ id }) => String(id) === query.get("edit"));
    if (editing !== undefined) return show(request, { form: editing, editing: editing.id });
    const note = NOTES.find((one) => query.get("note") === one);
    if (query.get("value") === null) return show(request, { note });
    return show(request, { form: entered(query), note: "copied" });
  };

  const change = async (request: Request, path: string): Promise<Response> => {
    const form = await formOf(request);
    const [, resource, id, action] = path.split("/");
    if (resource === "mistakes") {
      const mistake = mistakes.find((one) => one === form.get("mistake"));
      const found = (await askedDomains()).find(({ domain }) => domain === form.get("domain"));
      if (mistake === undefined || found === undefined) return missing(request);
      clearWay(zone, found.wanted);
      for (const record of mistaken(mistake, found.wanted, zone.apex)) zone.add(record);
      return seeOther("/?note=mistaken#form");
    }
    if (resource !== "records") return missing(request);
    if (action === "delete") {
      zone.remove(Number(id));
      return seeOther("/?note=removed#form");
    }
    const record = entered(form);
    const editing = id === undefined ? undefined : Number(id);
    const put = editing === undefined ? zone.add(record) : zone.replace(editing, record);
    return put.ok
      ? seeOther("/?note=saved#form")
      : show(request, { form: record, editing, fault: put.failure });
  };

  /** Signs in with the link: gives the browser a session of the dashboard, for which ports make no difference. */
  const signIn = async (request: Request, given: string): Promise<Response> => {
    const words = wordsFor(request.headers.get("accept-language"));
    if (token === undefined || given !== token) {
      if (given !== used) return missing(request);
      // The person with the link also sees the terminal.
      if (token === undefined) onLink(newLink());
      return html(plainPage(words, words.linkOver, words.linkOverText), 410);
    }
    used = token;
    token = undefined;
    const { dashboard } = petstore;
    const answer = await fetch(new URL("manage/v1/sessions", dashboard), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "sec-fetch-site": "same-origin",
        "user-agent": request.headers.get("user-agent") ?? "",
      },
      body: JSON.stringify({ email: visitor.email, password: visitor.password }),
    });
    const headers = new Headers({ location: dashboard, "cache-control": "no-store" });
    for (const cookie of answer.headers.getSetCookie()) {
      // It ends with the browser: the demo leaves nothing.
      headers.append("set-cookie", cookie.replace(/;\s*Max-Age=\d+/i, ""));
    }
    headers.append("set-cookie", `${COOKIE}=${known}; Path=/; HttpOnly; SameSite=Strict`);
    return new Response(null, { status: answer.ok ? 303 : 503, headers });
  };

  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams, host } = new URL(request.url);
    // A page of another site could be at a name that leads here (DNS rebinding).
    if (host !== new URL(origin).host) return missing(request);
    if (request.method === "POST") {
      return isOwn(request, origin) ? change(request, pathname) : refused(request);
    }
    if (request.method !== "GET") return missing(request);
    if (pathname === "/") return showZone(request, searchParams);
    if (pathname === "/registrar.css") return text(STYLE, "text/css");
    if (pathname === "/registrar.js") return text(SCRIPT, "text/javascript");
    if (pathname === "/root.pem") return text(root, "application/x-pem-file");
    if (pathname.startsWith("/sign-in/")) return signIn(request, pathname.slice(9));
    return missing(request);
  };

  const server = Bun.serve({
    hostname: ADDRESS,
    port: 0,
    maxRequestBodySize: MAX_BODY,
    fetch: answer,
  });
  origin = `http://localhost:${server.port}`;
  return { address: `${origin}/`, newLink, close: () => server.stop(true) };
}

/** Marks the browser that was signed in. */
const COOKIE = "petstore-demo";
const NOTES = ["saved", "removed", "mistaken"] as const;

/** Whether a form was sent by a page of ours. */
function isOwn({ headers }: Request, origin: string): boolean {
  const site = headers.get("sec-fetch-site");
  return site === null ? headers.get("origin") === origin : site === "same-origin";
}

async function formOf(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await request.text());
}

function entered(form: URLSearchParams): EnteredRecord {
  const [label, value] = [form.get("label") ?? "", form.get("value") ?? ""];
  return { label, type: typeIn(form.get("type") ?? "") ?? "CNAME", value };
}

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

function html(page: string, status = 200): Response {
  const response = text(page, "text/html; charset=utf-8", status);
  response.headers.set("content-security-policy", POLICY);
  response.headers.set("referrer-policy", "no-referrer");
  return response;
}

function text(body: string, type: string, status = 200): Response {
  const headers = {
    "content-type": type,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  return new Response(body, { status, headers });
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}

function missing(request: Request): Response {
  const words = wordsFor(request.headers.get("accept-language"));
  return html(plainPage(words, words.missing), 404);
}

function refused(request: Request): Response {
  const words = wordsFor(request.headers.get("accept-language"));
  return html(plainPage(words, words.refused), 403);
}
