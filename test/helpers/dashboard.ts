import type { Browser } from "playwright-core";

import { openTab, type Sight, type Tab } from "./browser.ts";
import { runProgram, startProgram, type Program } from "./process.ts";

/** The program with an operator and a browser. */
export interface DashboardRun extends AsyncDisposable {
  readonly program: Program;
  /** `http://localhost:…` */
  readonly origin: string;
  /** Calls the management API as the operator. Resolves with the body; throws if refused. */
  ask<Body = unknown>(method: string, path: string, body?: unknown): Promise<Body>;
  /** Adds a JPEG to the photos at a path of the management API. Throws if refused. */
  addPhoto(path: string, jpeg: Uint8Array): Promise<void>;
  /** Opens a tab at a path with the operator signed in. All such tabs share one session. */
  open(browser: Browser, sight: Sight, path?: string): Promise<Tab>;
  /** Opens a tab in which another member signs in. */
  openAs(browser: Browser, sight: Sight, who: Credentials, path?: string): Promise<Tab>;
  /** Signs another member in, in a tab that is open, and opens a path there. */
  signIn(tab: Tab, who: Credentials, path?: string): Promise<void>;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export const operator: Credentials = {
  email: "olga@example.org",
  password: "plough-lantern-otter-92",
};

/** Starts the program from source in a new directory, and creates its first operator with a setup link. */
export async function startDashboard(...args: readonly string[]): Promise<DashboardRun> {
  const program = await startProgram({ args });
  const origin = program.origin.replace("127.0.0.1", "localhost");
  const linked = await runProgram(["setup-link", "--json", "--data-dir", program.dataDir]);
  const { url } = JSON.parse(linked.stdout) as { readonly url: string };
  const send = (
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> =>
    fetch(`${origin}/manage/v1${path}`, {
      method,
      headers: {
        "sec-fetch-site": "same-origin",
        ...headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const token = new URL(url).hash.slice(1);
  const claimed = await send("POST", "/setup/member", { ...operator, token, name: "Olga" });
  if (claimed.status !== 201) throw new Error(`setup failed: ${await claimed.text()}`);
  const cookie = cookieOf(claimed);

  const openWith = async (tab: Tab, path: string, signedIn: string): Promise<Tab> => {
    // Playwright would set a Domain attribute, which `__Host-` cookies must not have.
    const devtools = await tab.page.context().newCDPSession(tab.page);
    const attributes = { path: "/", secure: true, httpOnly: true, sameSite: "Strict" } as const;
    const [name = "", value = ""] = signedIn.split("=", 2);
    await devtools.send("Network.setCookie", { name, value, url: origin, ...attributes });
    await devtools.detach();
    await tab.page.goto(origin + path);
    return tab;
  };
  const open: DashboardRun["open"] = async (browser, sight, path = "/") =>
    openWith(await openTab(browser, sight), path, cookie);
  const signIn: DashboardRun["signIn"] = async (tab, who, path = "/") => {
    // Signs in with a request instead of loading the page.
    const agent = { "user-agent": await tab.page.evaluate(() => navigator.userAgent) };
    const answer = await send("POST", "/sessions", who, agent);
    if (answer.status !== 201) throw new Error(`signing in failed: ${answer.status}`);
    await openWith(tab, path, cookieOf(answer));
  };
  const openAs: DashboardRun["openAs"] = async (browser, sight, who, path) => {
    const tab = await openTab(browser, sight);
    await signIn(tab, who, path);
    return tab;
  };
  return {
    program,
    origin,
    open,
    openAs,
    signIn,
    addPhoto: async (path, jpeg) => {
      const answer = await fetch(`${origin}/manage/v1${path}`, {
        method: "POST",
        headers: { "sec-fetch-site": "same-origin", cookie, "content-type": "image/jpeg" },
        body: new Blob([new Uint8Array(jpeg)]),
      });
      if (answer.status !== 201)
        throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    },
    ask: async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
      const answer = await send(method, path, body, { cookie });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return (text === "" ? undefined : JSON.parse(text)) as Body;
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

/** Returns the cookie set by a response, in the form for requests. */
function cookieOf({ headers }: Response): string {
  return headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
}
