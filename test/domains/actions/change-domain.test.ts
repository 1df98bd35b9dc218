import { describe, expect, test } from "bun:test";

import type { Domains } from "../../../domains/domains.ts";
import { REMOVED_KEPT_MS } from "../../../domains/model/domain.ts";
import type { DomainStore } from "../../../domains/ports/domain-store.ts";
import type { Problem } from "../../../lib/base/problem.ts";
import { refused, type Result } from "../../../lib/base/result.ts";
import {
  issued,
  openActions,
  owner,
  START,
  type ActionsFixture,
} from "../../helpers/domains/actions-fixture.ts";
import { must } from "../../helpers/outcome.ts";

const SHELTER = "shelter.org";
const WWW = "www.shelter.org";
const OLD = "old.shelter.org";

function faultOf(result: Result<unknown, Problem>) {
  if (result.ok) throw new Error("It was not refused.");
  return { code: result.failure.code, at: result.failure.errors?.[0]?.pointer };
}

/** A project with three domains, the first of which is primary. */
async function three(options: Parameters<typeof openActions>[0] = {}): Promise<ActionsFixture> {
  const fixture = await openActions(options);
  for (const name of [SHELTER, WWW, OLD]) must(await fixture.domains.add(owner(), name));
  return fixture;
}

function config(domains: Domains): Promise<unknown> {
  return domains.config(owner().projectId);
}

describe("the map of domains", () => {
  test("is returned as written", async () => {
    const { domains } = await three();
    const map = {
      primary: WWW,
      redirects: [
        { from: SHELTER, to: WWW, status: 301 },
        { from: OLD, to: WWW, status: 302 },
      ],
    } as const;
    expect(must(await domains.configure(owner(), map))).toEqual(map);
    expect(await config(domains)).toEqual(map);
    expect(must(await domains.show(owner(), OLD))).toMatchObject({
      role: "redirect",
      redirectTo: WWW,
      redirectStatus: 302,
      timeline: [
        { kind: "changed", message: "The domain now redirects to www.shelter.org (302)." },
        {},
      ],
    });
  });

  test("may contain Unicode names", async () => {
    const { domains } = await openActions();
    must(await domains.add(owner(), "tierheim.köln"));
    const map = { primary: "TIERHEIM.köln.", redirects: [] };
    expect(must(await domains.configure(owner(), map)).primary).toBe("tierheim.xn--kln-sna");
  });

  test("redirects unmentioned domains to the primary one", async () => {
    const { domains } = await three();
    must(await domains.configure(owner(), { primary: OLD, redirects: [] }));
    expect(await config(domains)).toEqual({
      primary: OLD,
      redirects: [
        { from: SHELTER, to: OLD, status: 308 },
        { from: WWW, to: OLD, status: 308 },
      ],
    });
  });

  for (const [why, map, at] of [
    ["an unknown primary", { primary: "nobody.org", redirects: [] }, "/primary"],
    [
      "an unknown target",
      { primary: SHELTER, redirects: [{ from: WWW, to: "nobody.org", status: 301 }] },
      "/redirects/0/to",
    ],
    [
      "a redirect of the primary domain",
      { primary: SHELTER, redirects: [{ from: SHELTER, to: WWW, status: 301 }] },
      "/redirects/0/from",
    ],
    [
      "a circle",
      {
        redirects: [
          { from: OLD, to: WWW, status: 301 },
          { from: WWW, to: OLD, status: 301 },
        ],
      },
      "/redirects/0/to",
    ],
    [
      "a chain",
      {
        primary: SHELTER,
        redirects: [
          { from: OLD, to: WWW, status: 301 },
          { from: WWW, to: SHELTER, status: 301 },
        ],
      },
      "/redirects/0/to",
    ],
  ] as const) {
    test(`is refused as a whole for ${why}`, async () => {
      const { domains } = await three();
      const before = await config(domains);
      expect(faultOf(await domains.configure(owner(), map))).toEqual({ code: "invalid_value", at });
      expect(await config(domains)).toEqual(before);
    });
  }

  test("excludes removed domains; redirects to them stay until they are changed", async () => {
    const { domains } = await three();
    must(await domains.remove(owner(), SHELTER));
    expect(await config(domains)).toEqual({
      redirects: [
        { from: WWW, to: SHELTER, status: 308 },
        { from: OLD, to: SHELTER, status: 308 },
      ],
    });
    const { dns } = must(await domains.show(owner(), WWW));
    expect(dns.findings.map(({ code }) => code)).toContain("redirect_target_removed");
    must(await domains.update(owner(), WWW, { role: "primary" }));
    const after = must(await domains.show(owner(), OLD));
    expect([after.redirectTo, after.dns.findings]).toEqual([WWW, []]);
  });
});

describe("changing a domain", () => {
  test("to primary redirects all others to it, with their previous status", async () => {
    const { domains } = await three();
    must(await domains.update(owner(), OLD, { redirectTo: SHELTER, redirectStatus: 302 }));
    expect(must(await domains.update(owner(), WWW, { role: "primary" })).role).toBe("primary");
    expect(await config(domains)).toEqual({
      primary: WWW,
      redirects: [
        { from: SHELTER, to: WWW, status: 308 },
        { from: OLD, to: WWW, status: 302 },
      ],
    });
  });

  test("to a redirect keeps its status unless another is given", async () => {
    const { domains } = await three();
    must(await domains.update(owner(), OLD, { redirectStatus: 301 }));
    const view = must(await domains.update(owner(), OLD, { redirectTo: SHELTER }));
    expect([view.redirectTo, view.redirectStatus]).toEqual([SHELTER, 301]);
  });

  test("from primary to a redirect is refused while others redirect to it", async () => {
    const { domains } = await three();
    const refusal = await domains.update(owner(), SHELTER, { redirectTo: WWW });
    expect(faultOf(refusal)).toEqual({ code: "invalid_value", at: "/redirectTo" });
    const both = await domains.update(owner(), WWW, { role: "primary", redirectTo: OLD });
    expect(faultOf(both)).toEqual({ code: "invalid_value", at: "/role" });
    const status = await domains.update(owner(), SHELTER, { redirectStatus: 301 });
    expect(faultOf(status)).toEqual({ code: "invalid_value", at: "/redirectStatus" });
  });

  test("sets the duration of HSTS, and records it", async () => {
    const { domains } = await three();
    const change = { role: "primary", hstsSeconds: 5_184_000 } as const;
    const view = must(await domains.update(owner(), WWW, change));
    expect([view.role, view.hstsSeconds]).toEqual(["primary", 5_184_000]);
    expect(view.timeline.map(({ message }) => message)).toContain(
      "Browsers are told to require HTTPS for 5184000 seconds.",
    );
    expect(must(await domains.update(owner(), WWW, { hstsSeconds: 0 })).hstsSeconds).toBe(0);
  });

  test("that was removed or belongs to another project is not found", async () => {
    const { domains } = await three();
    must(await domains.remove(owner(), OLD));
    expect(faultOf(await domains.update(owner(), OLD, { role: "primary" })).code).toBe("not_found");
    const foreign = await domains.update(owner("foxes", "foxes"), WWW, { role: "primary" });
    expect(faultOf(foreign).code).toBe("not_found");
  });

  test("is decided again after a concurrent change", async () => {
    let meddle: ((store: DomainStore) => Promise<void>) | undefined;
    const { domains } = await three({
      store: (store) => ({
        ...store,
        commit: async (changes, actor, under) => {
          const once = meddle;
          meddle = undefined;
          await once?.(store);
          return store.commit(changes, actor, under);
        },
      }),
    });
    meddle = async () => void must(await domains.update(owner(), WWW, { hstsSeconds: 60 }));
    must(await domains.update(owner(), WWW, { role: "primary" }));
    expect(must(await domains.show(owner(), WWW))).toMatchObject({
      role: "primary",
      hstsSeconds: 60,
    });
  });

  test("fails when concurrent changes never end", async () => {
    let attempts = 0;
    const { domains } = await three({
      store: (store) => ({
        ...store,
        commit: async (changes, actor, under) => {
          if (changes[0]?.kind !== "domain.save") return store.commit(changes, actor, under);
          attempts++;
          return refused("stale");
        },
      }),
    });
    expect(faultOf(await domains.update(owner(), WWW, { role: "primary" })).code).toBe(
      "unavailable",
    );
    expect(attempts).toBe(8);
  });
});

describe("removing a domain", () => {
  test("takes effect at once, whatever the plan, and only once", async () => {
    const { domains, gates, written, happen } = await three();
    const { id } = must(await domains.verify(owner(), SHELTER));
    await happen(id, issued(START));
    gates.set(owner().projectId, { plan: false, deploy: false, project: true });
    written.length = 0;
    const removed = must(await domains.remove(owner(), SHELTER));
    expect(removed).toMatchObject({ status: "removed", nextCheckAt: null });
    expect(written.map(({ name, heldSince }) => [name, heldSince])).toEqual([[SHELTER, undefined]]);
    expect(must(await domains.remove(owner(), SHELTER))).toEqual(removed);
    expect(written).toHaveLength(1);
  });

  test("returns until when it can be restored with its certificate", async () => {
    const { domains, happen } = await three();
    const { id } = must(await domains.verify(owner(), SHELTER));
    await happen(id, issued(START));
    const { nextAction } = must(await domains.remove(owner(), SHELTER));
    const day = new Date(START + REMOVED_KEPT_MS).toISOString().slice(0, 10);
    expect(nextAction).toContain(`Until ${day}`);
  });

  test("does not affect another project's domain of the same name", async () => {
    const { domains } = await three();
    const theirs = must(await domains.add(owner("foxes", "foxes"), SHELTER));
    must(await domains.remove(owner(), SHELTER));
    expect(must(await domains.show(owner("foxes", "foxes"), SHELTER)).status).toBe(theirs.status);
    const named = await domains.named(SHELTER);
    expect(named.map(({ project, status }) => [project, status])).toEqual([
      ["foxes-site", "checking"],
      ["otters-site", "removed"],
    ]);
    expect(await domains.named(SHELTER, "acc_foxes")).toHaveLength(1);
  });
});
