import type { Browser, Page, Route } from "playwright-core";

import { bundled } from "../../../dashboard/bundled.ts";
import { createDashboard } from "../../../dashboard/serve.ts";
import type { DomainView } from "../../../domains/view/shapes.ts";
import type { ProjectView } from "../../../lib/management/index.ts";
import { toWire } from "../../../lib/base/wire.ts";
import { openTab, type Tab } from "../browser.ts";
import { DESK, follow } from "../desk.ts";
import { NOW } from "../survey.ts";

const account = {
  id: "acc_1",
  name: "Brightside",
  plan: "pro",
  limits: { perMinute: 300, perDay: 10_000 },
  createdAt: NOW,
};

const project = {
  id: "prj_1",
  accountId: account.id,
  name: "Brightside",
  slug: "brightside",
  filter: { categoryIds: [], statuses: ["available"] },
  theme: {},
  url: "https://brightside.petstore.example",
  createdAt: NOW,
  liveDeployId: "dep_1",
};

/** The responses of the management API; a function is called each time. */
export interface Answers {
  readonly domains?: readonly DomainView[];
  readonly account?: Partial<typeof account>;
  readonly project?: Partial<ProjectView> | { readonly liveDeployId: undefined };
  readonly role?: "operator" | "owner" | "staff" | "viewer";
  /** Event streams fail. */
  readonly deaf?: boolean;
  /** Custom responses by method and path below the API; they take precedence. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** The dashboard over responses controlled by the test, at the time when domains were checked. */
export interface Pages extends Disposable {
  /** Opens an empty tab on a desktop. */
  open(browser: Browser, language?: "en" | "de"): Promise<Tab>;
  /**
   * Opens a view with these responses, on a light desktop. Opens it as a link does, without loading the page, unless the frame
   * around the view has other data, or a dialog or a toast is left there.
   */
  show(tab: Tab, path: string, answers?: Answers): Promise<View>;
}

interface View {
  readonly page: Page;
  /** The faults of the tab since the view was opened. */
  readonly faults: () => readonly string[];
}

export function servePages(): Pages {
  const dashboard = createDashboard(async () => bundled, "petstore");
  // Each tab has a server, because a page that Playwright answers loads without a cache, in half as much time again.
  const desks = new Map<Tab, Desk>();
  return {
    open: async (browser, language = "en") => {
      const tab = await openTab(browser, DESK);
      await tab.page.clock.install({ time: NOW });
      await tab.page.addInitScript(`localStorage.setItem("petstore-language", "${language}")`);
      desks.set(tab, openDesk(dashboard));
      return tab;
    },
    show: async (tab, path, answers = {}) => {
      const desk = desks.get(tab);
      if (desk === undefined) throw new Error("the tab was not opened here");
      const { page } = tab;
      await page.clock.setSystemTime(NOW);
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.setViewportSize({ width: DESK.width, height: 860 });
      await page.emulateMedia({ colorScheme: DESK.scheme });
      if (answers.deaf === true) await page.route("**/manage/v1/**", refuseEvents);
      const before = tab.faults.length;
      const isFramed = frameOf(desk.answers) === frameOf(answers);
      desk.answers = answers;
      if (isFramed && (await isClear(page))) {
        // By way of an empty view, because the wanted one may be open.
        await follow(page, "/nowhere");
        await follow(page, path);
      } else await page.goto(new URL(path, desk.server.url).href);
      return { page, faults: () => tab.faults.slice(before) };
    },
    [Symbol.dispose]: () => {
      for (const { server } of desks.values()) void server.stop(true);
    },
  };
}

interface Desk {
  readonly server: Bun.Server<undefined>;
  /** Undefined until the first view is shown. */
  answers: Answers | undefined;
}

/** The data of the frame around each view, loaded with the page. */
const FRAME = ["GET /sign-in", "GET /accounts", "GET /certificates/overdue"] as const;

/** Returns the data of the frame, to be compared. */
function frameOf(answers: Answers | undefined): string | undefined {
  if (answers === undefined) return undefined;
  const all = bodies(answers);
  return JSON.stringify(FRAME.map((name) => all[name]));
}

/** Returns true if nothing is left on the page that outlives its view. */
async function isClear(page: Page): Promise<boolean> {
  return (await page.locator("dialog[open], :popover-open, .toast").count()) === 0;
}

function openDesk(dashboard: ReturnType<typeof createDashboard>): Desk {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith(API)) return dashboard.fetch(request, pathname);
      return answer(request, pathname.slice(API.length), desk.answers ?? {});
    },
  });
  const desk: Desk = { server, answers: undefined };
  return desk;
}

const API = "/manage/v1";
const EVENTS = "text/event-stream";

function refuseEvents(route: Route): Promise<void> {
  const streams = route.request().headers()["accept"]?.includes(EVENTS) === true;
  return streams ? route.abort() : route.fallback();
}

function answer({ method, headers }: Request, path: string, answers: Answers): Response {
  const known = bodies(answers)[`${method} ${path}`];
  const body = JSON.stringify(toWire(known));
  if (headers.get("accept")?.includes(EVENTS) === true) {
    // Sends one event, and no further connection until the test ends.
    const event = known === undefined ? ": nothing" : `event: domain\ndata: ${body}`;
    return new Response(`retry: 600000\n\n${event}\n\n`, { headers: { "content-type": EVENTS } });
  }
  if (known === undefined) {
    const refusal = { code: "not_found", message: `There is no ${path}.`, status: 404 };
    return Response.json(refusal, { status: 404 });
  }
  return new Response(body, { headers: { "content-type": "application/json" } });
}

function bodies({
  domains = [],
  account: accountIs = {},
  project: projectIs = {},
  role = "owner",
  more = {},
}: Answers): Readonly<Record<string, unknown>> {
  const shown = { ...project, ...projectIs };
  return {
    "GET /sign-in": {
      me: {
        role,
        accountId: account.id,
        name: "Olga",
        member: { id: "mem_1", email: "olga@example.org", name: "Olga" },
      },
    },
    "GET /accounts": [{ ...account, ...accountIs }],
    "GET /projects/brightside": shown,
    "GET /projects/prj_1": shown,
    "GET /projects/prj_1/domains": domains,
    "GET /projects/prj_1/domain-suggestions": [],
    "GET /accounts/acc_1/events": [],
    "GET /accounts/acc_1/production/enquiries/counts": { new: 0, answered: 0, closed: 0 },
    "PATCH /me": {},
    "GET /certificates/overdue": { overdue: 0, expired: 0, first: null },
    ...Object.fromEntries(
      domains.map((domain) => [`GET /projects/prj_1/domains/${domain.domain}`, domain]),
    ),
    ...more,
  };
}
