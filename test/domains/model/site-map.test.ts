import { describe, expect, test } from "bun:test";

import type { DomainRole } from "../../../domains/model/domain.ts";
import { missingNames, namesIn, effectiveRoles } from "../../../domains/model/redirects.ts";

const PRIMARY = { kind: "primary" } as const;

function leads(to: string, status: 301 | 302 | 307 | 308 = 308): DomainRole {
  return { kind: "redirect", to, status };
}

function held(name: string, role: DomainRole) {
  return { name, role, heldSince: 1 };
}

describe("the roles of a site map", () => {
  test("apply to all domains if its primary one is held", () => {
    const attached = [
      held("a.org", PRIMARY),
      held("b.org", leads("a.org")),
      held("c.org", PRIMARY),
    ];
    const map = { primary: "b.org", redirects: [{ from: "c.org", to: "b.org", status: 301 }] };
    const roles = effectiveRoles(map, attached);
    expect(roles.ok && Object.fromEntries(roles.value)).toEqual({
      "a.org": leads("b.org"),
      "b.org": PRIMARY,
      "c.org": leads("b.org", 301),
    });
  });

  test("leave out domains that are not held, and rules about them", () => {
    const attached = [
      held("a.org", PRIMARY),
      { name: "b.org", role: leads("a.org") },
      held("c.org", leads("a.org")),
    ];
    const map = {
      primary: "b.org",
      redirects: [
        { from: "a.org", to: "b.org", status: 301 },
        { from: "c.org", to: "a.org", status: 302 },
        { from: "d.org", to: "a.org", status: 302 },
      ],
    };
    const roles = effectiveRoles(map, attached);
    expect(roles.ok && Object.fromEntries(roles.value)).toEqual({
      "a.org": PRIMARY,
      "b.org": leads("a.org"),
      "c.org": leads("a.org", 302),
    });
  });

  test("are empty if none of its names is held", () => {
    const map = { primary: "a.org", redirects: [] };
    expect(effectiveRoles(map, [{ name: "a.org", role: PRIMARY }])).toEqual({
      ok: true,
      value: new Map(),
    });
  });

  test("are refused if they form a chain with existing redirects", () => {
    const attached = [
      held("a.org", PRIMARY),
      held("b.org", leads("a.org")),
      held("c.org", PRIMARY),
    ];
    const map = { redirects: [{ from: "c.org", to: "b.org", status: 301 }] };
    const roles = effectiveRoles(map, attached);
    expect(roles.ok || roles.failure.code).toBe("chain");
  });

  test("ignore a redirect to a removed domain", () => {
    const attached = [
      held("a.org", PRIMARY),
      held("b.org", leads("gone.org")),
      held("c.org", PRIMARY),
    ];
    const map = { redirects: [{ from: "c.org", to: "a.org", status: 301 }] };
    const roles = effectiveRoles(map, attached);
    expect(roles.ok && Object.fromEntries(roles.value)).toEqual({
      "a.org": PRIMARY,
      "b.org": leads("gone.org"),
      "c.org": leads("a.org", 301),
    });
  });
});

test("a map waits for names to be added and to be verified", () => {
  const map = {
    primary: "a.org",
    redirects: [
      { from: "b.org", to: "a.org", status: 301 },
      { from: "c.org", to: "a.org", status: 301 },
    ],
  };
  expect(namesIn(map)).toEqual(["a.org", "b.org", "c.org"]);
  const attached = [held("a.org", PRIMARY), { name: "c.org", role: PRIMARY }];
  expect(missingNames(map, attached)).toEqual([
    { name: "b.org", step: "add" },
    { name: "c.org", step: "verify" },
  ]);
});
