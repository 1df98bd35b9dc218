import { describe, expect, test } from "bun:test";

import {
  outlookOf,
  twinOf,
  faultOfRedirect,
  removedDomains,
  prerequisitesOf,
  areMet,
} from "../../../../../dashboard/app/pages/domains/list-rules.ts";
import { refusalOfName } from "../../../../../dashboard/app/pages/domains/names.ts";
import {
  issuerName,
  checklistOf,
  hstsChoices,
  remedyOf,
  progressOf,
  visitAddress,
  wasVerified,
} from "../../../../../dashboard/app/pages/domains/domain-rules.ts";
import { left } from "../../../../../dashboard/app/components/time.tsx";
import { inLocalTime } from "../../../../../dashboard/app/words/format.ts";
import type { DomainFindingView } from "../../../../../domains/view/shapes.ts";
import { views } from "../../../../helpers/domains/views.ts";

function finding(
  code: string,
  severity: DomainFindingView["severity"] = "blocking",
): DomainFindingView {
  return { code, severity, observed: "", expected: "", fix: "", server: null, data: {} };
}

describe("the outlook for a new name", () => {
  const zone = "shelter.org";
  test.each([
    ["clear", { zone, obstacles: [], changes: [finding("no_record")] }],
    ["clear", { zone, obstacles: [finding("caa_error", "warning")], changes: [] }],
    ["changes", { zone, obstacles: [], changes: [finding("conflicting_a")] }],
    ["obstacles", { zone, obstacles: [finding("caa_forbids")], changes: [] }],
    ["obstacles", { zone: null, obstacles: [finding("not_delegated")], changes: [] }],
    ["unknown", { zone: null, obstacles: [], changes: [] }],
  ] as const)("is %s", (outlook, explanation) => {
    expect(outlookOf(explanation)).toBe(outlook);
  });
});

test.each([
  ["@", "shelter.co.uk", "www.shelter.co.uk"],
  ["www", "www.shelter.co.uk", "shelter.co.uk"],
  ["pets", "pets.shelter.co.uk", undefined],
  ["www.pets", "www.pets.shelter.co.uk", undefined],
])("the twin of the record %s of %s is %p", (name, fqdn, twin) => {
  expect(twinOf({ name, fqdn })).toBe(twin);
});

describe("a redirect", () => {
  const domains = [
    { domain: "a.org", redirectTo: null },
    { domain: "b.org", redirectTo: "a.org" },
    { domain: "c.org", redirectTo: "a.org" },
    { domain: "d.org", redirectTo: "gone.org" },
  ];

  test("is valid if its target does not redirect", () => {
    expect(faultOfRedirect(domains, { from: "d.org", to: "a.org" })).toBeUndefined();
    expect(faultOfRedirect(domains, { from: "b.org", to: "a.org" })).toBeUndefined();
  });

  test("is invalid if it creates a loop or a chain", () => {
    expect(faultOfRedirect(domains, { from: "a.org", to: "b.org" })).toMatchObject({
      code: "cycle",
      over: "b.org",
    });
    expect(faultOfRedirect(domains, { from: "b.org", to: "c.org" })).toEqual({
      code: "chain",
      from: "b.org",
      over: "c.org",
      to: "a.org",
    });
    expect(faultOfRedirect(domains, { from: "a.org", to: "e.org" })).toEqual({
      code: "chain",
      from: "b.org",
      over: "a.org",
      to: "e.org",
    });
  });
});

test.each([
  ["pets.petstore.example.org", "own_domain"],
  ["petstore.example.org", "own_domain"],
  ["pets.test", "special_use"],
  ["co.uk", "public_suffix"],
  ["notpetstore.example.org.uk", "public_suffix"],
] as const)("the name %s is refused as %s", (name, reason) => {
  const site = { siteHost: "brave-otter.petstore.example.org", slug: "brave-otter" };
  expect(refusalOfName(name, site)).toBe(reason);
});

test("removed domains are the project's that were not added again, latest first", () => {
  const event = (at: number, domain: string, projectId = "prj_1") => ({
    at,
    data: { domain, projectId },
  });
  const events = [
    event(5, "b.org"),
    event(9, "a.org"),
    event(3, "a.org"),
    event(4, "c.org", "prj_2"),
    event(2, "d.org"),
  ];
  expect(removedDomains(events, { projectId: "prj_1", attached: ["d.org"] })).toEqual([
    { domain: "a.org", removedAt: 9 },
    { domain: "b.org", removedAt: 5 },
  ]);
});

describe("whether domains can be added is", () => {
  const account = {
    id: "acc_1",
    name: "Shelter",
    plan: "pro",
    limits: { perMinute: 1, perDay: 1 },
    createdAt: 0,
  } as const;
  test.each([
    [true, { liveDeployId: "dep_1" }, account],
    [false, {}, account],
    [false, { liveDeployId: "dep_1", deletedAt: 1 }, account],
    [false, { liveDeployId: "dep_1" }, { ...account, plan: "free" } as const],
    [false, { liveDeployId: "dep_1" }, { ...account, suspendedAt: 1 }],
    [false, { liveDeployId: "dep_1" }, undefined],
  ])("%p", (open, project, of) => {
    expect(areMet(prerequisitesOf(project, of))).toBe(open);
  });
});

test.each([
  ["https://acme-v02.api.letsencrypt.org/directory", "Let’s Encrypt"],
  ["https://ca.shelter.lan:8443/acme/directory", "ca.shelter.lan"],
  ["internal", "internal"],
])("%s is called %s", (directory, name) => {
  expect(issuerName(directory)).toBe(name);
});

describe("the checklist for a missing certificate", () => {
  test("reports a refusal by the certificate authority", () => {
    expect(checklistOf(views.stalled).map(({ verdict }) => verdict)).toEqual(["ok", "ok", "no"]);
  });

  test("reports CAA records that forbid it", () => {
    expect(checklistOf(views.forbidden).map(({ verdict }) => verdict)).toEqual(["no", "no", "ok"]);
  });

  test("reports an unreachable server as unknown", () => {
    const [verifies, caa] = checklistOf(views.unanswered);
    expect([verifies?.verdict, caa?.verdict]).toEqual(["unknown", "unknown"]);
  });
});

test("a duration set by other means is offered too, in order", () => {
  expect(hstsChoices(86_400)).toEqual([
    0, 300, 86_400, 2_592_000, 5_184_000, 31_536_000, 63_072_000,
  ]);
  expect(hstsChoices(300)).toHaveLength(6);
});

describe("the link that helps to fix a finding", () => {
  const place = { accountId: "acc_1", slug: "brightside" };

  test("leads to a page of the dashboard for plan and deploy", () => {
    expect(remedyOf(finding("plan_required"), place)?.href).toBe("/accounts/acc_1");
    expect(remedyOf(finding("deploy_required"), place)?.href).toBe("/projects/brightside");
    expect(remedyOf(finding("no_record"), place)).toBeUndefined();
  });
});

test.each([
  [14_000, "0:14"],
  [13_001, "0:14"],
  [723_000, "12:03"],
  [25_259_000, "7:00:59"],
  [3_600_000, "1:00:00"],
  [59_999, "1:00"],
  [0, "0:00"],
  [-5_000, "0:00"],
])("%p milliseconds are %s", (ms, text) => {
  expect(left(ms)).toBe(text);
});

describe("instants in the service's texts", () => {
  const clock = (at: string): string =>
    new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));

  test("are shown in local time, with the date", () => {
    expect(inLocalTime("until 2020-02-01 09:30:15 UTC; again at 2020-02-02 10:00 UTC.")).toBe(
      `until ${clock("2020-02-01T09:30:15Z")}; again at ${clock("2020-02-02T10:00:00Z")}.`,
    );
  });

  test("stay unchanged if they are invalid", () => {
    expect(inLocalTime("2020-02-31 09:30 UTC")).toBe("2020-02-31 09:30 UTC");
  });
});

test.each([
  ["checking", "current ahead ahead ahead ahead"],
  ["missing", "done current ahead ahead ahead"],
  ["lagging", "done current ahead ahead ahead"],
  ["unanswered", "current ahead ahead ahead ahead"],
  ["verified", "done done current ahead ahead"],
  ["issuing", "done done current ahead ahead"],
  ["trying", "done done done current ahead"],
  ["live", "done done done done done"],
  ["remembered", "done done done done done"],
  ["stalled", "done done stuck ahead ahead"],
  ["limited", "done done stuck ahead ahead"],
] as const)("a domain that is %s has come so far: %s", (name, states) => {
  const steps = progressOf(views[name]);
  expect(steps?.map(({ state }) => state).join(" ")).toBe(states);
});

test.each(["removed", "claimed"] as const)("a domain that is %s has no progress", (name) => {
  expect(progressOf(views[name])).toBeUndefined();
});

test("a live domain whose records broke is not shown at the first step", () => {
  const { dns, ...rest } = views.live;
  const drifting = { ...rest, status: "attention", dns: { ...dns, state: "blocked" } } as const;
  expect(progressOf(drifting)).toBeUndefined();
});

test.each([
  ["missing", false],
  ["checking", false],
  ["verified", true],
  ["stalled", true],
  ["live", true],
] as const)("a domain that is %s was verified before: %p", (name, before) => {
  expect(wasVerified(views[name])).toBe(before);
});

test.each([
  ["https://cats.localhost:8443", "https://pets.shelter.org:8443"],
  ["https://cats.petstore.example", "https://pets.shelter.org"],
  ["http://cats.localhost:8080", "https://pets.shelter.org"],
])("beside a site at %s, a domain is visited at %s", (url, address) => {
  expect(visitAddress({ domain: "pets.shelter.org" }, { url })).toBe(address);
});
