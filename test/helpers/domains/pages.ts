import type { Browser, Route } from "playwright-core";

import { bundled } from "../../../dashboard/bundled.ts";
import { createDashboard } from "../../../dashboard/serve.ts";
import type { DomainView } from "../../../domains/view/shapes.ts";
import type { ProjectView } from "../../../lib/management/index.ts";
import { toWire } from "../../../lib/management/wire.ts";
import { openTab, type Sight, type Tab } from "../browser.ts";
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
  /** Opens an empty tab. */
  open(browser: Browser, sight: Sight, language?: "en" | "de"): Promise<Tab>;
  /** Opens a view with these responses. */
  show(tab: Tab, path: string, answers: Answers): Promise<void>;
}

export function servePages(): Pages {
  const dashboard = createDashboard(async () => bundled, "petstore");
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => dashboard.fetch(request, new URL(request.url).pathname),
  });
  return {
    open: async (browser, sight, language = "en") => {
      const tab = await openTab(browser, sight);
      await tab.page.clock.install({ time: NOW });
      await tab.page.addInitScript(`localStorage.setItem("petstore-language", "${language}")`);
      return tab;
    },
    show: async ({ page }, path, answers) => {
      await page.clock.setSystemTime(NOW);
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.route("**/manage/v1/**", (route) => answer(route, answers));
      await page.goto(new URL(path, server.url).href);
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

function answer(route: Route, answers: Answers): Promise<void> {
  const request = route.request();
  const path = new URL(request.url()).pathname.replace("/manage/v1", "");
  const known = bodies(answers)[`${request.method()} ${path}`];
  const body = JSON.stringify(toWire(known));
  if (request.headers()["accept"]?.includes("text/event-stream") === true) {
    if (answers.deaf === true) return route.abort();
    // Sends one event, and no further connection until the test ends.
    const event = known === undefined ? ": nothing" : `event: domain\ndata: ${body}`;
    const text = `retry: 600000\n\n${event}\n\n`;
    return route.fulfill({ contentType: "text/event-stream", body: text });
  }
  if (known === undefined) {
    const refusal = { code: "not_found", message: `There is no ${path}.`, status: 404 };
    return route.fulfill({ status: 404, json: refusal });
  }
  return route.fulfill({ contentType: "application/json", body });
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
    ...Object.fromEntries(
      domains.map((domain) => [`GET /projects/prj_1/domains/${domain.domain}`, domain]),
    ),
    ...more,
  };
}
