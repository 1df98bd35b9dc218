import { describe, expect, test } from "bun:test";

import type { DomainRole } from "../../../domains/model/domain.ts";
import {
  configOf,
  promoted,
  roleOfAdded,
  rolesUnder,
  wwwCounterpart,
  type Attached,
} from "../../../domains/model/redirects.ts";

const primary = (name: string): Attached => ({ name, role: { kind: "primary" } });
const leading = (name: string, to: string): Attached => ({
  name,
  role: { kind: "redirect", to, status: 308 },
});

const three = [
  primary("pets.test"),
  leading("www.pets.test", "pets.test"),
  leading("old.test", "pets.test"),
];

function fault(config: Parameters<typeof rolesUnder>[0]): unknown {
  const roles = rolesUnder(config, three);
  return roles.ok ? undefined : [roles.failure.code, roles.failure.pointer];
}

const rule = (from: string, to: string, status = 301) => ({ from, to, status });

describe("a domains map", () => {
  test("is returned as written", () => {
    const config = {
      primary: "www.pets.test",
      redirects: [rule("pets.test", "www.pets.test", 302), rule("old.test", "www.pets.test", 307)],
    };
    const roles = rolesUnder(config, three);
    if (!roles.ok) throw new Error(roles.failure.message);
    const attached = [...roles.value].map(([name, role]) => ({ name, role }));
    expect(configOf(attached)).toEqual(config);
  });

  test("redirects unmentioned domains permanently to the primary one", () => {
    const roles = rolesUnder({ primary: "old.test", redirects: [] }, three);
    expect(roles.ok && Object.fromEntries(roles.value)).toEqual({
      "old.test": { kind: "primary" },
      "pets.test": { kind: "redirect", to: "old.test", status: 308 },
      "www.pets.test": { kind: "redirect", to: "old.test", status: 308 },
    } satisfies Record<string, DomainRole>);
  });

  for (const status of [301, 302, 307, 308]) {
    test(`accepts a redirect with ${status}`, () => {
      expect(
        fault({ primary: "pets.test", redirects: [rule("old.test", "pets.test", status)] }),
      ).toBe(undefined);
    });
  }

  for (const status of [200, 300, 303, 304, 305, 306, 309, 404]) {
    test(`refuses a redirect with ${status}`, () => {
      expect(
        fault({ primary: "pets.test", redirects: [rule("old.test", "pets.test", status)] }),
      ).toEqual(["invalid_status", "/redirects/0/status"]);
    });
  }

  test("refuses an unknown primary domain", () => {
    expect(fault({ primary: "cats.test", redirects: [] })).toEqual(["unknown_domain", "/primary"]);
  });

  test("refuses a redirect from or to an unknown domain", () => {
    expect(fault({ redirects: [rule("cats.test", "pets.test")] })).toEqual([
      "unknown_domain",
      "/redirects/0/from",
    ]);
    expect(fault({ redirects: [rule("old.test", "cats.test")] })).toEqual([
      "unknown_domain",
      "/redirects/0/to",
    ]);
  });

  test("refuses a primary domain that redirects", () => {
    expect(fault({ primary: "pets.test", redirects: [rule("pets.test", "old.test")] })).toEqual([
      "primary_redirects",
      "/redirects/0/from",
    ]);
  });

  test("refuses two redirects of one domain", () => {
    const redirects = [rule("old.test", "pets.test"), rule("old.test", "www.pets.test")];
    expect(fault({ redirects })).toEqual(["duplicate_source", "/redirects/1/from"]);
  });

  test("refuses a redirect to itself", () => {
    expect(fault({ redirects: [rule("old.test", "old.test")] })).toEqual([
      "cycle",
      "/redirects/0/to",
    ]);
  });

  test("refuses a loop of three", () => {
    const redirects = [
      rule("pets.test", "www.pets.test"),
      rule("www.pets.test", "old.test"),
      rule("old.test", "pets.test"),
    ];
    expect(fault({ redirects })).toEqual(["cycle", "/redirects/0/to"]);
  });

  test("refuses a redirect to a redirect", () => {
    const redirects = [rule("old.test", "www.pets.test"), rule("www.pets.test", "pets.test")];
    expect(fault({ primary: "pets.test", redirects })).toEqual(["chain", "/redirects/0/to"]);
  });

  test("refuses a redirect to an unmentioned domain that redirects", () => {
    expect(fault({ redirects: [rule("old.test", "www.pets.test")] })).toEqual([
      "chain",
      "/redirects/0/to",
    ]);
    const redirects = [rule("pets.test", "www.pets.test")];
    expect(fault({ primary: "old.test", redirects })).toEqual(["chain", "/redirects/0/to"]);
  });

  test("refuses a redirect of a domain that unmentioned ones redirect to", () => {
    const attached = [...three, primary("new.test")];
    const roles = rolesUnder({ redirects: [rule("pets.test", "new.test")] }, attached);
    expect(roles.ok || [roles.failure.code, roles.failure.pointer]).toEqual([
      "chain",
      "/redirects/0/from",
    ]);
  });

  test("refuses a redirect into a loop", () => {
    const redirects = [
      rule("old.test", "www.pets.test"),
      rule("www.pets.test", "pets.test"),
      rule("pets.test", "www.pets.test"),
    ];
    expect(fault({ redirects })).toEqual(["chain", "/redirects/0/to"]);
  });
});

describe("roles", () => {
  test("the first domain is primary, later ones redirect to it permanently", () => {
    expect(roleOfAdded([])).toEqual({ kind: "primary" });
    expect(roleOfAdded([primary("pets.test")])).toEqual({
      kind: "redirect",
      to: "pets.test",
      status: 308,
    });
  });

  test("a new primary domain takes over all redirects, including that of the former one", () => {
    const roles = promoted("old.test", [
      primary("pets.test"),
      { name: "www.pets.test", role: { kind: "redirect", to: "pets.test", status: 302 } },
      leading("old.test", "pets.test"),
    ]);
    expect(roles.ok && Object.fromEntries(roles.value)).toEqual({
      "old.test": { kind: "primary" },
      "pets.test": { kind: "redirect", to: "old.test", status: 308 },
      "www.pets.test": { kind: "redirect", to: "old.test", status: 302 },
    });
  });

  test("after the primary domain was removed, another can be named", () => {
    const left = [leading("www.pets.test", "pets.test"), leading("old.test", "pets.test")];
    const roles = promoted("old.test", left);
    expect(roles.ok && roles.value.get("www.pets.test")).toEqual({
      kind: "redirect",
      to: "old.test",
      status: 308,
    });
  });
});

describe("the counterpart", () => {
  test("of a registered domain is its www name, and vice versa", () => {
    expect(wwwCounterpart("shelter.org", "@")).toBe("www.shelter.org");
    expect(wwwCounterpart("shelter.org", "www")).toBe("shelter.org");
  });

  test("does not exist for other names", () => {
    expect(wwwCounterpart("shelter.org", "pets")).toBeUndefined();
    expect(wwwCounterpart("shelter.org", "www.pets")).toBeUndefined();
  });
});
