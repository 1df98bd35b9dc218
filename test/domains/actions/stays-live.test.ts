import { expect, test } from "bun:test";

import { applySiteMap } from "../../../domains/actions/apply-site-map.ts";
import type { Outcome } from "../../../domains/model/apply-outcome.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import type { DomainsConfig } from "../../../domains/model/redirects.ts";
import { createRouteTable, type RouteTable } from "../../../domains/serving/routes.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/base/clock.ts";
import {
  emptyReport,
  issued,
  openActions,
  owner,
  verified,
  type ActionsFixture,
} from "../../helpers/domains/actions-fixture.ts";
import { must } from "../../helpers/outcome.ts";

const APEX = "shelter.org";
const WWW = "www.shelter.org";
const { projectId } = owner();

const blocked: Extract<Outcome, { readonly kind: "checked" }> = {
  ...verified,
  state: "blocked",
  codes: ["no_record"],
  leadsHere: false,
};

interface Walk extends ActionsFixture {
  readonly routes: RouteTable;
  named(name: string): Promise<Domain>;
  /** Verifies a domain, and gives it a certificate that is seen to be served. */
  goLive(name: string): Promise<void>;
  /** Makes a deploy with this map live. */
  deploy(map: DomainsConfig): Promise<void>;
  /** Fails unless visitors of `www` get the site, directly or from the domain that it redirects to. */
  check(what: string): Promise<void>;
}

async function walking(): Promise<Walk> {
  let live: { readonly deployId: string; readonly activatedAt: number } | undefined;
  let map: DomainsConfig | undefined;
  const siteMaps = { live: async () => live, map: async () => map };
  const fixture = await openActions({ siteMaps });
  const { store, clock, domains, happen, looks } = fixture;
  const routes = createRouteTable({ store, gatekeeper: { slugOf: async () => "otters" }, clock });
  const named = async (name: string): Promise<Domain> => {
    const found = (await store.domains.ofProject(projectId)).find((one) => one.name === name);
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };
  const { commit } = fixture.context;
  return {
    ...fixture,
    routes,
    named,
    goLive: async (name) => {
      looks.set(name, { outcome: verified, report: emptyReport });
      must(await domains.verify(owner(), name));
      const { id } = await named(name);
      await happen(id, issued(clock.now(), `crt_${id.slice(4)}`));
      await happen(id, { kind: "probed", answered: true });
    },
    deploy: async (wanted) => {
      clock.advance(1_000);
      live = { deployId: `d${clock.now()}`, activatedAt: clock.now() };
      map = wanted;
      must(await applySiteMap({ store, commit, siteMaps, clock, changed: () => {} }, projectId));
    },
    check: async (what) => {
      routes.forgetAll();
      await routes.refresh();
      const route = routes.byHost(WWW);
      const end = route?.kind === "redirect" ? routes.byHost(new URL(route.to).host) : route;
      expect([what, end?.kind]).toEqual([what, "site"]);
    },
  };
}

test("a live domain keeps showing the site whatever is pointed at a domain that is not live", async () => {
  const walk = await walking();
  const { domains, check, goLive, deploy, looks, named, happen, clock, gates, routes } = walk;
  looks.set(APEX, { outcome: blocked, report: emptyReport });
  must(await domains.add(owner(), APEX));
  must(await domains.add(owner(), WWW));
  expect((await named(WWW)).role).toMatchObject({ kind: "redirect", to: APEX });
  await goLive(WWW);
  await check("the apex was added first, and waits for its records");

  must(await domains.verify(owner(), APEX));
  await check("the apex was verified again, without success");
  await deploy({ primary: APEX, redirects: [{ from: WWW, to: APEX, status: 301 }] });
  await check("a deploy names the waiting apex as the primary domain");
  must(await domains.update(owner(), WWW, { role: "primary" }));
  await check("www is the primary domain");
  must(await domains.update(owner(), APEX, { role: "primary" }));
  await check("the waiting apex was made the primary domain");
  must(await domains.update(owner(), WWW, { redirectTo: APEX, redirectStatus: 302 }));
  await check("www redirects to the waiting apex");
  must(
    await domains.configure(owner(), {
      primary: APEX,
      redirects: [{ from: WWW, to: APEX, status: 308 }],
    }),
  );
  await check("the whole map was replaced");

  looks.set(APEX, { outcome: verified, report: emptyReport });
  must(await domains.verify(owner(), APEX));
  await check("the apex is verified, and has no certificate yet");
  await deploy({ primary: APEX, redirects: [] });
  await check("a deploy was activated meanwhile");
  const { id } = await named(APEX);
  const order: Outcome = {
    kind: "order_failed",
    failure: "refused",
    code: "ca_rejected_name",
    message: "no",
  };
  await happen(id, order);
  await check("the order for the apex failed");
  await happen(id, issued(clock.now(), "crt_apex"));
  await check("the apex has a certificate, and no handshake was made yet");
  await happen(id, { kind: "probed", answered: true });
  await check("the apex is live");
  expect(routes.byHost(WWW)).toMatchObject({ kind: "redirect", to: `https://${APEX}` });

  const unservable = { kind: "unservable", certificateId: "crt_apex", message: "cut" } as const;
  await happen(id, unservable);
  await check("the certificate of the apex cannot be presented");
  await happen(id, issued(clock.now(), "crt_next"));
  await check("the apex has another certificate");
  expect(routes.byHost(WWW)?.kind).toBe("redirect");
  looks.set(APEX, { outcome: blocked, report: emptyReport });
  must(await domains.verify(owner(), APEX));
  await check("the records of the apex were removed");
  looks.set(WWW, { outcome: { ...verified, state: "unknown" }, report: emptyReport });
  must(await domains.verify(owner(), WWW));
  await check("www was verified again while its name servers are silent");
  looks.set(WWW, { outcome: blocked, report: emptyReport });
  must(await domains.verify(owner(), WWW));
  await check("www was verified again while a name server disagrees");

  for (const plan of [false, true]) {
    gates.set(projectId, { plan, deploy: true, project: true });
    const facts = { kind: "gates", plan, deploy: true, project: true } as const;
    for (const name of [APEX, WWW]) await happen((await named(name)).id, facts);
    await check(`the plan ${plan ? "includes" : "no longer includes"} domains`);
  }
  await happen((await named(WWW)).id, { kind: "gates", plan: true, deploy: false, project: true });
  await check("no deploy is live for a moment");
  await happen((await named(WWW)).id, order);
  await check("the renewal of www failed");
  clock.advance(HOUR_MS);
  must(await domains.remove(owner(), APEX));
  await check("the apex was removed");
  must(await domains.add(owner(), APEX));
  await check("the apex was added again");
});

test("a redirect to a domain whose certificate has expired shows the site itself", async () => {
  const walk = await walking();
  const { domains, goLive, happen, named, clock, check, routes } = walk;
  for (const name of [APEX, WWW]) {
    must(await domains.add(owner(), name));
    await goLive(name);
  }
  await check("both are live");
  expect(routes.byHost(WWW)?.kind).toBe("redirect");
  clock.advance(30 * DAY_MS);
  await happen((await named(WWW)).id, issued(clock.now(), "crt_renewed"));
  clock.advance(60 * DAY_MS);
  await check("the certificate of the apex has expired");
  expect(routes.byHost(WWW)?.kind).toBe("site");
});

test("a redirect to a domain that drifts, moves and is released shows the site itself, until it is back", async () => {
  const walk = await walking();
  const { domains, goLive, happen, named, clock, check, routes } = walk;
  for (const name of [APEX, WWW]) {
    must(await domains.add(owner(), name));
    await goLive(name);
  }
  expect((await named(WWW)).role).toMatchObject({ kind: "redirect", to: APEX });
  const { id } = await named(APEX);
  const look = async (seen: "here" | "away") =>
    happen(id, { kind: "looked", seen, doubted: false, mayLeave: true });
  let stage: string | undefined;
  for (let hours = 0; stage !== "released" && hours < 40 * 24; hours++) {
    clock.advance(HOUR_MS);
    const { drift, removal } = await look("away");
    const now = removal?.reason ?? drift?.stage?.kind;
    if (now === stage) continue;
    stage = now;
    await check(`the apex is ${stage}`);
    expect(routes.byHost(WWW)?.kind).toBe("site");
    if (stage !== "drifting") continue;
    await look("here");
    await check("the apex is back");
    expect(routes.byHost(WWW)?.kind).toBe("redirect");
    for (let times = 0; times < 3; times++) {
      clock.advance(HOUR_MS);
      await look("away");
    }
    await check("the apex drifts again");
  }
  expect(stage).toBe("released");
  expect(routes.byHost(APEX)).toBeUndefined();
});

test("the headline of a domain says whether it redirects", async () => {
  const { domains, goLive, looks } = await walking();
  looks.set(APEX, { outcome: blocked, report: emptyReport });
  must(await domains.add(owner(), APEX));
  must(await domains.add(owner(), WWW));
  await goLive(WWW);
  const shown = async () => must(await domains.show(owner(), WWW));
  expect((await shown()).headline).toBe(
    `https://${WWW} is live. It shows the site itself until ${APEX} does.`,
  );
  await goLive(APEX);
  expect((await shown()).headline).toBe(`https://${WWW} is live and redirects to ${APEX}.`);
});
