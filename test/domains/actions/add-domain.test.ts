import { describe, expect, test } from "bun:test";

import { MAX_DOMAINS, MAX_UNVERIFIED } from "../../../domains/model/domain.ts";
import type { Problem } from "../../../lib/base/problem.ts";
import type { Result } from "../../../lib/base/result.ts";
import { MAX_FAILED_VALIDATIONS } from "../../../domains/model/backoff.ts";
import { failureBy } from "../../../domains/model/order-failure.ts";
import type { GateFacts } from "../../../domains/ports/projects.ts";
import type { DomainView } from "../../../domains/view/shapes.ts";
import { issued, openActions, owner, START } from "../../helpers/domains/actions-fixture.ts";
import { must } from "../../helpers/outcome.ts";

const DAY = 24 * 3_600_000;

function codeOf(result: Result<unknown, Problem>): string | undefined {
  return result.ok ? undefined : result.failure.code;
}

/** Tells whether one of the domains is primary, and all others redirect to it. */
function onePrimary(views: readonly DomainView[]): boolean {
  const [primary, ...more] = views.filter(({ role }) => role === "primary");
  const redirects = views.filter(({ redirectTo }) => redirectTo === primary?.domain);
  return more.length === 0 && redirects.length === views.length - 1;
}

describe("adding a domain", () => {
  test("returns the record to enter: a CNAME to a target of this domain", async () => {
    const { domains } = await openActions();
    const view = must(await domains.add(owner(), " Pets.Shelter.ORG. "));
    expect(view).toMatchObject({
      domain: "pets.shelter.org",
      unicode: "pets.shelter.org",
      project: "otters-site",
      role: "primary",
      redirectTo: null,
      redirectStatus: null,
      apex: false,
      status: "checking",
      nextCheckAt: START,
      dns: { state: "unchecked", checkedAt: null, eta: null },
      certificate: { state: "none", issuer: null, attempts: 0, reason: null },
      timeline: [{ at: START, kind: "added", code: null, message: null }],
    });
    expect(view.records).toHaveLength(1);
    const [record] = view.records;
    expect(record).toMatchObject({
      purpose: "routing",
      required: true,
      type: "CNAME",
      name: "pets",
      fqdn: "pets.shelter.org",
      ttl: 3_600,
      state: "unchecked",
      found: [],
    });
    expect(record?.value).toMatch(/^[\da-f]{32}\.cname\.petstore\.example$/);
  });

  test("requires an ALIAS at a zone apex, and suggests the www name", async () => {
    const { domains } = await openActions();
    const view = must(await domains.add(owner(), "shelter.org"));
    expect([view.apex, view.records[0]?.type, view.records[0]?.name]).toEqual([true, "ALIAS", "@"]);
    expect(view.twin).toBe("www.shelter.org");
    const twin = must(await domains.add(owner(), "www.shelter.org"));
    expect(twin.twin).toBeNull();
  });

  test("shows an international name in both forms, and warns about look-alikes", async () => {
    const { domains } = await openActions();
    const view = must(await domains.add(owner(), "tierheim.köln"));
    expect([view.domain, view.unicode, view.lookAlike]).toEqual([
      "tierheim.xn--kln-sna",
      "tierheim.köln",
      null,
    ]);
    const mixed = must(await domains.add(owner(), "раypal.com"));
    expect(mixed.lookAlike).toBe("mixed_scripts");
  });

  test("makes the first domain primary; later ones redirect to it with 308", async () => {
    const { domains } = await openActions();
    must(await domains.add(owner(), "pets.shelter.org"));
    const second = must(await domains.add(owner(), "www.shelter.org"));
    expect([second.role, second.redirectTo, second.redirectStatus]).toEqual([
      "redirect",
      "pets.shelter.org",
      308,
    ]);
  });

  for (const [typed, words] of [
    ["https://pets.shelter.org/cats", "Enter only the name: pets.shelter.org."],
    ["192.0.2.1", "IP address"],
    ["*.shelter.org", "Wildcards"],
    ["co.uk", "Domains are registered under co.uk"],
    ["pets.test", "not in the public DNS"],
    ["otters.petstore.example", "this service's own domain"],
    ["", "Enter a domain"],
    [`${"a".repeat(64)}.org`, "longer than 63"],
  ] as const) {
    test(`refuses ${JSON.stringify(typed.slice(0, 30))} with a helpful message`, async () => {
      const { domains } = await openActions();
      const refused = await domains.add(owner(), typed);
      if (refused.ok) throw new Error("It was added.");
      expect(refused.failure.code).toBe("invalid_value");
      expect(refused.failure.message).toContain(words);
      expect(refused.failure.errors?.[0]?.pointer).toBe("/domain");
    });
  }

  test("is refused without plan, deploy or project", async () => {
    const { domains, gates } = await openActions();
    const { projectId } = owner();
    const ask = async (facts: GateFacts) => {
      gates.set(projectId, facts);
      return codeOf(await domains.add(owner(), "pets.shelter.org"));
    };
    expect(await ask({ plan: false, deploy: false, project: true })).toBe("plan_required");
    expect(await ask({ plan: true, deploy: false, project: true })).toBe("deploy_required");
    const suspended = { plan: false, deploy: true, project: true, suspended: true } as const;
    expect(await ask(suspended)).toBe("account_suspended");
    expect(await ask({ plan: true, deploy: true, project: false })).toBe("not_found");
    expect(await domains.ofProject(projectId)).toEqual([]);
  });

  test("is refused for a name that the account has in any project", async () => {
    const { domains } = await openActions();
    must(await domains.add(owner(), "pets.shelter.org"));
    expect(codeOf(await domains.add(owner(), "PETS.shelter.org"))).toBe("domain_exists");
    const sibling = await domains.add(owner("seals", "otters"), "pets.shelter.org");
    expect(codeOf(sibling)).toBe("domain_exists");
  });

  test("of another account's name requires the ownership record, and has another target", async () => {
    const { domains } = await openActions();
    const theirs = must(await domains.add(owner("foxes", "foxes"), "pets.shelter.org"));
    const ours = must(await domains.add(owner(), "pets.shelter.org"));
    expect(ours.records.map(({ purpose, required }) => [purpose, required])).toEqual([
      ["routing", true],
      ["ownership", true],
    ]);
    expect(ours.records[1]).toMatchObject({
      type: "TXT",
      name: "_petstore.pets",
      fqdn: "_petstore.pets.shelter.org",
    });
    expect(ours.records[1]?.value).toMatch(/^[\dA-Za-z]{22}$/);
    expect(ours.records[0]?.value).not.toBe(theirs.records[0]?.value);
  });

  test("after removal gives the same target, and another ownership record", async () => {
    const { domains, store } = await openActions();
    const first = must(await domains.add(owner(), "pets.shelter.org"));
    const token = (await store.domains.byId(first.id))?.ownershipToken;
    must(await domains.remove(owner(), "pets.shelter.org"));
    const again = must(await domains.add(owner(), "pets.shelter.org"));
    expect([again.id, again.records[0]?.value]).toEqual([first.id, first.records[0]?.value]);
    expect((await store.domains.byId(first.id))?.ownershipToken).not.toBe(token);
    expect(again.timeline.map(({ kind }) => kind)).toEqual(["added", "removed", "added"]);
  });

  test("within thirty days of the removal restores the certificate", async () => {
    const { domains, clock, happen } = await openActions();
    const { id } = must(await domains.add(owner(), "pets.shelter.org"));
    must(await domains.verify(owner(), "pets.shelter.org"));
    await happen(id, issued(START));
    must(await domains.remove(owner(), "pets.shelter.org"));
    await clock.advance(29 * DAY);
    const again = must(await domains.add(owner(), "pets.shelter.org"));
    expect([again.status, again.certificate.state]).toEqual(["checking", "active"]);
    expect(again.records.map(({ state }) => state)).toEqual(["unchecked"]);
  });

  test("in another project keeps the failures counted by the CA", async () => {
    const { domains, store, clock, happen } = await openActions();
    const { id } = must(await domains.add(owner(), "pets.shelter.org"));
    must(await domains.verify(owner(), "pets.shelter.org"));
    for (let time = 0; time < MAX_FAILED_VALIDATIONS; time++) {
      await happen(id, failureBy({ code: "connection", message: "", names: [] }));
      await clock.advance(1_000);
    }
    must(await domains.remove(owner(), "pets.shelter.org"));
    const again = must(await domains.add(owner("seals"), "pets.shelter.org"));
    const added = await store.domains.byId(again.id);
    expect(added?.issuance.failedAt).toEqual([START, START + 1_000, START + 2_000, START + 3_000]);
    expect(added?.issuance.notBefore).toBe(START + 3_600_000);
  });

  test("is limited per project, and for unverified names per account", async () => {
    const { domains, happen } = await openActions();
    for (let number = 0; number < MAX_UNVERIFIED; number++) {
      must(await domains.add(owner(), `pets${number}.shelter.org`));
    }
    expect(codeOf(await domains.add(owner(), "one.more.org"))).toBe("limit_reached");
    const other = await domains.add(owner("seals", "otters"), "one.more.org");
    expect(codeOf(other)).toBe("limit_reached");
    const held = async (project: string) => {
      for (const { id, dns } of await domains.ofProject(project)) {
        if (dns.state === "unchecked") {
          await happen(id, {
            kind: "checked",
            state: "verified",
            codes: [],
            leadsHere: true,
            name: "free",
          });
        }
      }
    };
    await held(owner().projectId);
    for (let number = MAX_UNVERIFIED; number < MAX_DOMAINS; number++) {
      must(await domains.add(owner(), `pets${number}.shelter.org`));
    }
    await held(owner().projectId);
    expect(codeOf(await domains.add(owner(), "one.more.org"))).toBe("limit_reached");
    expect(codeOf(await domains.add(owner("seals", "otters"), "one.more.org"))).toBeUndefined();
  });

  test("two names to a new project at once makes one of them primary", async () => {
    const { domains } = await openActions();
    const both = await Promise.all([
      domains.add(owner(), "pets.shelter.org"),
      domains.add(owner(), "www.shelter.org"),
    ]);
    const roles = both.map((added) => must(added).role);
    expect(roles.filter((role) => role === "primary")).toHaveLength(1);
  });

  test("50 names to a new project at once adds them all, without a retry", async () => {
    let commits = 0;
    const { domains } = await openActions({
      store: (store) => ({
        ...store,
        commit: (changes, actor, under) => {
          commits++;
          return store.commit(changes, actor, under);
        },
      }),
    });
    const added = await Promise.all(
      Array.from({ length: MAX_UNVERIFIED }, (_, number) =>
        domains.add(owner(), `pets${number}.shelter.org`),
      ),
    );
    expect(onePrimary(added.map(must))).toBe(true);
    expect(commits).toBe(MAX_UNVERIFIED);
  });

  test("a name again that was removed gives it the role of a new domain", async () => {
    const { domains } = await openActions();
    const first = must(await domains.add(owner(), "pets.shelter.org"));
    must(await domains.add(owner(), "www.shelter.org"));
    must(await domains.remove(owner(), first.domain));
    expect(must(await domains.add(owner(), first.domain)).role).toBe("primary");
    must(await domains.configure(owner(), { primary: "www.shelter.org", redirects: [] }));
    must(await domains.remove(owner(), first.domain));
    const again = must(await domains.add(owner(), first.domain));
    expect([again.role, again.redirectTo]).toEqual(["redirect", "www.shelter.org"]);
  });

  test("a name twice at once in one account is refused once", async () => {
    const { domains } = await openActions();
    const both = await Promise.all([
      domains.add(owner(), "pets.shelter.org"),
      domains.add(owner("seals", "otters"), "pets.shelter.org"),
    ]);
    expect(new Set(both.map(codeOf))).toEqual(new Set(["domain_exists", undefined]));
  });
});
