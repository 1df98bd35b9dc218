import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import {
  overdueCertificates,
  rehearseHostRenewal,
  renewCertificate,
} from "../../../domains/actions/certificates.ts";
import type { DomainsContext } from "../../../domains/actions/context.ts";
import { finding } from "../../../domains/model/finding.ts";
import { createOwnHosts } from "../../../domains/own-hosts/own-hosts.ts";
import { shown } from "../../../domains/view/report.ts";
import {
  emptyReport,
  issued,
  openActions,
  owner,
  START,
  verified,
  type ActionsFixture,
} from "../../helpers/domains/actions-fixture.ts";
import { codeOf, must } from "../../helpers/outcome.ts";

const DAY = 24 * 3_600_000;

async function certified(fixture: ActionsFixture, name: string): Promise<void> {
  const { id } = must(await fixture.domains.add(owner(), name));
  must(await fixture.domains.verify(owner(), name));
  await fixture.happen(id, issued(START, `crt_${name}`));
}

/** A live domain, whose gates are read with each check, as in the pipeline. */
async function gated() {
  const fixture = await openActions();
  await certified(fixture, "a.org");
  const { context, store, gates } = fixture;
  const verify: typeof context.verify = async (id) => {
    const domain = await store.domains.byId(id);
    const facts = gates.get(domain?.projectId ?? "") ?? { plan: true, deploy: true, project: true };
    return fixture.happen(id, { kind: "gates", ...facts });
  };
  const renew = () => {
    fixture.clock.advance(DAY);
    return renewCertificate({ ...context, verify }, owner(), "a.org");
  };
  return { fixture, renew };
}

describe("certificates", () => {
  test("are listed in pages if served", async () => {
    const fixture = await openActions();
    for (const name of ["a.org", "b.org", "c.org"]) await certified(fixture, name);
    must(await fixture.domains.add(owner(), "d.org"));
    must(await fixture.domains.remove(owner(), "b.org"));
    const first = await fixture.domains.certificates({ limit: 1 });
    expect(first.certificates).toEqual([
      {
        domain: "a.org",
        project: "otters-site",
        issuer: "https://ca.test/directory",
        notBefore: START,
        notAfter: START + 90 * DAY,
        renewAt: START + 60 * DAY,
        reason: null,
        explanationUrl: null,
      },
    ]);
    const { next = -1 } = first;
    const second = await fixture.domains.certificates({ after: next, limit: 1 });
    expect(second.certificates.map(({ domain }) => domain)).toEqual(["c.org"]);
    expect(second.next).toBeUndefined();
  });

  test("are counted once they are overdue: all for operators, an account's for its members", async () => {
    const fixture = await openActions();
    for (const name of ["a.org", "b.org"]) await certified(fixture, name);
    await createOwnHosts({ ...fixture.context, store: fixture.store }).secure("pets.example");
    const none = { overdue: 0, expired: 0, first: null };
    const count = async (accountId?: string) => overdueCertificates(fixture.context, accountId);
    fixture.clock.set(START + 67.5 * DAY - 1);
    expect([await count(), await count(owner().accountId)]).toEqual([none, none]);
    fixture.clock.set(START + 67.5 * DAY);
    const first = { domain: "a.org", expiresAt: START + 90 * DAY };
    expect(await count()).toEqual({ overdue: 2, expired: 0, first: { ...first, project: null } });
    // The operator can do nothing about records of the owner.
    const [{ id } = { id: "" }] = await fixture.store.domains.named("a.org", 1);
    await fixture.happen(id, {
      ...verified,
      state: "blocked",
      codes: ["no_record"],
      leadsHere: false,
    });
    expect(await count()).toMatchObject({ overdue: 1, first: { domain: "b.org" } });
    fixture.clock.set(START + 90 * DAY);
    expect(await count(owner().accountId)).toEqual({
      overdue: 2,
      expired: 2,
      first: { ...first, project: "otters-site" },
    });
    expect(await count("acc_stranger")).toEqual(none);
  });

  test("are not renewed while a gate is closed, and the refusal says which and what to do", async () => {
    const { fixture, renew } = await gated();
    for (const [gate, said] of [
      [{ plan: false, deploy: true, project: true, suspended: true }, "petstore accounts resume"],
      [{ plan: false, deploy: true, project: true }, "petstore accounts plan"],
      [{ plan: true, deploy: false, project: true, deletedAt: START }, "petstore projects restore"],
      [{ plan: true, deploy: false, project: true }, "Publish the project first"],
    ] as const) {
      fixture.gates.set(owner().projectId, gate);
      const refused = await renew();
      expect(codeOf(refused)).toBe("domain_not_ready");
      expect(refused.ok ? "" : refused.failure.message).toContain(said);
    }
    fixture.gates.delete(owner().projectId);
    must(await renew());
  });

  test("are renewed at once on the operator's request", async () => {
    const fixture = await openActions();
    await certified(fixture, "a.org");
    must(await fixture.domains.add(owner(), "b.org"));
    fixture.clock.advance(DAY);
    const view = must(await fixture.domains.renew(owner(), "a.org"));
    expect(view.certificate).toMatchObject({ state: "active", renewAt: START + DAY });
    const early = await fixture.domains.renew(owner(), "b.org");
    expect(codeOf(early)).toBe("domain_not_ready");
    expect(early.ok ? "" : early.failure.message).toBe(
      "The domain has no certificate yet. The DNS of b.org is being checked.",
    );
    fixture.looks.set("b.org", {
      outcome: { ...verified, state: "blocked", codes: ["not_delegated"], leadsHere: false },
      report: {
        ...emptyReport,
        findings: [shown(finding("not_delegated", { registrable: "b.org" }))],
      },
    });
    must(await fixture.domains.verify(owner(), "b.org"));
    const blocked = await fixture.domains.renew(owner(), "b.org");
    expect(blocked.ok ? "" : blocked.failure.message).toMatch(
      /^The domain has no certificate yet\. b\.org has no name servers.* \(not_delegated\)$/,
    );
    expect(codeOf(await fixture.domains.renew(owner(), "c.org"))).toBe("not_found");
  });

  test("are renewed at once although the CA asked to wait, or not at all, with the reason", async () => {
    const fixture = await openActions();
    const { domains, happen, clock, looks } = fixture;
    await certified(fixture, "a.org");
    const { id } = must(await domains.show(owner(), "a.org"));
    const failing = (failure: "rate_limited" | "validation", message: string) =>
      happen(id, {
        kind: "order_failed",
        failure,
        code: `ca_${failure}`,
        message,
        until: clock.now() + 20 * 3_600_000,
      });
    clock.advance(60 * DAY);
    await failing("rate_limited", "slow down");
    const asked = must(await domains.renew(owner(), "a.org"));
    expect(asked.certificate.nextAttemptAt).toBeNull();
    // The CA counts failed validations by name and hour.
    for (let times = 0; times < 4; times++) await failing("validation", "nothing there");
    const limited = await domains.renew(owner(), "a.org");
    expect(codeOf(limited)).toBe("limit_reached");
    expect(limited.ok ? "" : limited.failure.message).toContain("nothing there");
    clock.advance(2 * 3_600_000);
    looks.set("a.org", {
      outcome: { ...verified, state: "blocked", codes: ["no_record"], leadsHere: false },
      report: {
        ...emptyReport,
        findings: [shown(finding("not_delegated", { registrable: "a.org" }))],
      },
    });
    const misled = await domains.renew(owner(), "a.org");
    expect(codeOf(misled)).toBe("domain_not_ready");
    expect(misled.ok ? "" : misled.failure.message).toContain("a.org has no name servers");
    looks.clear();
    must(await domains.renew(owner(), "a.org"));
  });

  test("are renewed once a minute, for all names together, while the CA takes no orders", async () => {
    const { domains, clock, store, context } = await openActions();
    const { domains: other } = await openActions({ store: () => store, clock });
    for (const name of ["a.org", "b.org"]) {
      must(await domains.add(owner(), name));
      must(await domains.verify(owner(), name));
    }
    const authority = context.accounts.authorities[0].id;
    const until = clock.now() + DAY;
    const pause = { authority, until, message: "too many new orders", probedAt: clock.now() };
    await store.commit([{ kind: "authority.pause", pause }], system);
    const renew = async (name: string): Promise<string | undefined> => {
      const renewed = await domains.renew(owner(), name);
      return renewed.ok ? undefined : renewed.failure.message;
    };
    const again = new Date(clock.now() + 60_000).toISOString();
    const why = await renew("a.org");
    for (const part of [again, new Date(until).toISOString(), "too many new orders"]) {
      expect(why).toContain(part);
    }
    clock.advance(60_000);
    const both = await Promise.all([domains, other].map((one) => one.renew(owner(), "a.org")));
    expect(both.filter(({ ok }) => !ok).map(codeOf)).toEqual(["limit_reached"]);
    expect(await renew("b.org")).toContain("Order again at");
    clock.advance(60_000);
    expect(await renew("b.org")).toBeUndefined();
    clock.advance(DAY);
    expect([await renew("a.org"), await renew("b.org")]).toEqual([undefined, undefined]);
  });

  test("are renewed three times a day", async () => {
    const fixture = await openActions();
    const { domains, happen, clock } = fixture;
    await certified(fixture, "a.org");
    const { id } = must(await domains.show(owner(), "a.org"));
    for (let times = 1; times <= 3; times++) {
      clock.advance(3_600_000);
      must(await domains.renew(owner(), "a.org"));
      await happen(id, issued(clock.now(), `crt_${times}`));
    }
    const fourth = await domains.renew(owner(), "a.org");
    expect(codeOf(fourth)).toBe("limit_reached");
    expect(fourth.ok ? "" : fourth.failure.message).toContain(
      "three new certificates within a day",
    );
  });

  test("are exported with their key, which is recorded", async () => {
    const fixture = await openActions();
    await certified(fixture, "a.org");
    must(await fixture.domains.add(owner(), "b.org"));
    expect(must(await fixture.domains.exportCertificate(owner(), "a.org"))).toEqual({
      chain: "the chain of crt_a.org",
      privateKey: "the key of crt_a.org",
    });
    const { timeline } = must(await fixture.domains.show(owner(), "a.org"));
    expect(timeline[0]).toMatchObject({
      kind: "changed",
      message: "The certificate was exported with its key.",
    });
    expect(JSON.stringify(timeline)).not.toContain("the key of");
    expect(codeOf(await fixture.domains.exportCertificate(owner(), "b.org"))).toBe(
      "domain_not_ready",
    );
  });
});

test("of the operator's own hosts are in no list of domains", async () => {
  const fixture = await openActions();
  const { store, clock, domains } = fixture;
  const random = (into: Uint8Array) => crypto.getRandomValues(into);
  const own = createOwnHosts({ store, clock, random });
  must(await domains.add(owner(), "a.org"));
  await own.secure("petstore.example");
  must(await domains.add(owner(), "b.org"));
  const listed = async (page: { after?: string; limit: number }) =>
    (await domains.all(page)).map(({ domain }) => domain);
  expect(await listed({ limit: 9 })).toEqual(["a.org", "b.org"]);
  expect(await listed({ limit: 1 })).toEqual(["a.org"]);
  const [first] = await domains.all({ limit: 1 });
  expect(await listed({ after: first?.id ?? "", limit: 9 })).toEqual(["b.org"]);
  expect(await domains.named("petstore.example")).toEqual([]);
  const [host] = await store.domains.ofProject("own:petstore.example");
  await fixture.happen(host?.id ?? "", {
    kind: "checked",
    state: "verified",
    codes: [],
    leadsHere: true,
    name: "free",
  });
  await fixture.happen(host?.id ?? "", issued(START));
  const { certificates } = await domains.certificates({ limit: 9 });
  expect(certificates.map(({ domain, project }) => [domain, project])).toEqual([
    ["petstore.example", null],
  ]);
});

describe("a rehearsal", () => {
  const other = (fixture: ActionsFixture, id: string) => ({ ...fixture.authority, id });
  const all = ["dns", "account", "order", "challenge", "validation", "certificate"] as const;

  test("uses the CA for tests, else another one than the certificate's, else the named one", async () => {
    const asked: string[] = [];
    const rehearse: DomainsContext["rehearse"] = async (_domain, { id }) => {
      asked.push(id);
      return { passed: all, challenge: "http-01", notAfter: START };
    };
    const base = await openActions({ rehearse, rehearsalAuthorities: [] });
    await certified(base, "a.org");
    const { context, authority } = base;
    const alone = await rehearseHostRenewal(context, "a.org");
    expect([codeOf(alone), asked]).toEqual(["not_found", []]);
    expect(codeOf(await rehearseHostRenewal(context, "a.org", "https://x.test"))).toBe("not_found");
    expect(codeOf(await rehearseHostRenewal(context, "b.org"))).toBe("not_found");

    expect(must(await rehearseHostRenewal(context, "A.org.", authority.id))).toEqual({
      ...{ domain: "a.org", authority: authority.id, passed: all, failed: null, reason: null },
      ...{ challenge: "http-01", notAfter: START },
    });
    const second = other(base, "https://second.test/directory");
    const accounts = { ...context.accounts, authorities: [authority, second] as const };
    must(await rehearseHostRenewal({ ...context, accounts }, "a.org"));
    const rehearsalAuthorities = [other(base, "https://staging.test/directory")];
    must(await rehearseHostRenewal({ ...context, accounts, rehearsalAuthorities }, "a.org"));
    expect(asked).toEqual([authority.id, second.id, "https://staging.test/directory"]);
  });

  test("says what failed, and that CAA records may refuse its account", async () => {
    const failure = { part: "order", code: "caa", message: "CAA forbids it." } as const;
    const base = await openActions({
      rehearse: async () => ({ passed: ["dns", "account"], failure }),
    });
    await certified(base, "a.org");
    const failed = must(await rehearseHostRenewal(base.context, "a.org", base.authority.id));
    expect(failed).toMatchObject({ passed: ["dns", "account"], failed: "order", challenge: null });
    expect(failed.reason).toStartWith("CAA forbids it. A rehearsal has an account of its own");
  });

  test("waits while the domain is worked on", async () => {
    const base = await openActions({ rehearse: async () => undefined });
    await certified(base, "a.org");
    expect(codeOf(await rehearseHostRenewal(base.context, "a.org", base.authority.id))).toBe(
      "unavailable",
    );
  });
});
