import { describe, expect, test } from "bun:test";

import { applySiteMap } from "../../../domains/actions/apply-site-map.ts";
import type { DomainsConfig } from "../../../domains/model/redirects.ts";
import {
  openActions,
  owner,
  START,
  verified,
  emptyReport,
  type ActionsFixture,
} from "../../helpers/domains/actions-fixture.ts";
import { must } from "../../helpers/outcome.ts";

const SHELTER = "shelter.org";
const WWW = "www.shelter.org";
const OLD = "old.shelter.org";
const { projectId } = owner();

interface Site extends ActionsFixture {
  /** Makes a deploy live. */
  readonly publish: (map: DomainsConfig | undefined, deployId?: string) => Promise<void>;
  readonly apply: () => Promise<void>;
  readonly roles: () => Promise<Readonly<Record<string, string | null>>>;
}

/** Creates a project with verified domains, the first of which is primary. */
async function site(...names: readonly string[]): Promise<Site> {
  let live: { readonly deployId: string; readonly activatedAt: number } | undefined;
  const maps = new Map<string, DomainsConfig | undefined>();
  const siteMaps = {
    live: async () => live,
    map: async (_project: string, deployId: string) => maps.get(deployId),
  };
  const fixture = await openActions({ siteMaps });
  for (const name of names) {
    must(await fixture.domains.add(owner(), name));
    must(await fixture.domains.verify(owner(), name));
  }
  const { store, clock } = fixture;
  const { commit } = fixture.context;
  const changed = (): void => {};
  const apply = async () => {
    must(await applySiteMap({ store, commit, siteMaps, clock, changed }, projectId));
  };
  return {
    ...fixture,
    apply,
    publish: async (map, deployId = `d${maps.size}`) => {
      maps.set(deployId, map);
      clock.advance(1_000);
      live = { deployId, activatedAt: clock.now() };
      await apply();
    },
    roles: async () => {
      const views = await fixture.domains.ofProject(projectId);
      return Object.fromEntries(
        views.map(({ domain, redirectTo, redirectStatus }) => [
          domain,
          redirectTo === null ? null : `${redirectTo} ${redirectStatus}`,
        ]),
      );
    },
  };
}

const WWW_FIRST: DomainsConfig = {
  primary: WWW,
  redirects: [{ from: SHELTER, to: WWW, status: 301 }],
};

describe("the map of a site", () => {
  test("applies to verified domains when its deploy goes live, and is reported", async () => {
    const { domains, publish, roles } = await site(SHELTER, WWW);
    await publish(WWW_FIRST);
    expect(await roles()).toEqual({ [SHELTER]: `${WWW} 301`, [WWW]: null });
    expect(must(await domains.show(owner(), WWW)).timeline[0]).toMatchObject({
      kind: "changed",
      message: "The domain now shows the site.",
      at: START + 1_000,
    });
    expect(await domains.config(projectId)).toEqual(WWW_FIRST as never);
  });

  test("may contain Unicode names", async () => {
    const { publish, roles } = await site(SHELTER, WWW);
    await publish({ primary: "WWW.Shelter.org", redirects: [] });
    expect(await roles()).toEqual({ [SHELTER]: `${WWW} 308`, [WWW]: null });
  });

  test("does not override later changes until a deploy goes live again", async () => {
    const { domains, publish, apply, roles } = await site(SHELTER, WWW);
    await publish(WWW_FIRST);
    must(await domains.update(owner(), SHELTER, { role: "primary" }));
    await apply();
    expect((await roles())[SHELTER]).toBeNull();
    await publish(undefined);
    expect((await roles())[SHELTER]).toBeNull();
    await publish(WWW_FIRST, "d0");
    expect((await roles())[WWW]).toBeNull();
  });

  test("has no effect when applied again", async () => {
    const { store, publish, apply } = await site(SHELTER, WWW);
    await publish(WWW_FIRST);
    const before = await store.domains.ofProject(projectId);
    await apply();
    expect(await store.domains.ofProject(projectId)).toEqual(before);
  });

  test("waits for a domain until it is verified", async () => {
    const { domains, looks, publish, apply, roles } = await site(SHELTER);
    must(await domains.add(owner(), WWW));
    looks.set(WWW, {
      outcome: { ...verified, state: "blocked", leadsHere: false },
      report: emptyReport,
    });
    must(await domains.verify(owner(), WWW));
    await publish(WWW_FIRST);
    expect(await roles()).toEqual({ [SHELTER]: null, [WWW]: `${SHELTER} 308` });
    looks.delete(WWW);
    must(await domains.verify(owner(), WWW));
    await apply();
    expect(await roles()).toEqual({ [SHELTER]: `${WWW} 301`, [WWW]: null });
  });

  test("is not applied again for a verified domain that it does not mention", async () => {
    const { domains, publish, apply, roles } = await site(SHELTER, WWW);
    await publish(WWW_FIRST);
    must(await domains.update(owner(), SHELTER, { role: "primary" }));
    must(await domains.add(owner(), OLD));
    must(await domains.verify(owner(), OLD));
    await apply();
    expect((await roles())[SHELTER]).toBeNull();
  });

  test("is refused as a whole if invalid, once, in the timelines of its domains", async () => {
    const { domains, publish, apply, roles } = await site(SHELTER, WWW, OLD);
    const before = await roles();
    await publish({ redirects: [{ from: OLD, to: WWW, status: 301 }] });
    await apply();
    expect(await roles()).toEqual(before);
    const { timeline } = must(await domains.show(owner(), OLD));
    expect(timeline.filter(({ kind }) => kind === "refused")).toMatchObject([
      {
        code: "chain",
        message: expect.stringContaining("Redirect old.shelter.org to shelter.org directly"),
      },
    ]);
    const { timeline: other } = must(await domains.show(owner(), SHELTER));
    expect(other.map(({ kind }) => kind)).not.toContain("refused");
  });

  test("suggests the names that cannot be used yet", async () => {
    const { domains, publish } = await site(SHELTER);
    expect(await domains.suggestions(projectId)).toEqual([]);
    must(await domains.add(owner(), WWW));
    await publish({
      primary: SHELTER,
      redirects: [
        { from: WWW, to: SHELTER, status: 301 },
        { from: "tierheim.köln", to: SHELTER, status: 301 },
      ],
    });
    expect(await domains.suggestions(projectId)).toEqual([
      { domain: WWW, unicode: WWW, step: "verify" },
      { domain: "tierheim.xn--kln-sna", unicode: "tierheim.köln", step: "add" },
    ]);
  });
});
