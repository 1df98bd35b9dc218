import { describe, expect, test } from "bun:test";

import type { DomainRole } from "../../../domains/model/domain.ts";
import {
  configOf,
  promoted,
  roleOfAdded,
  rolesUnder,
  twinOf,
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
  test("comes back as it was written", () => {
    const config = {
      primary: "www.pets.test",
      redirects: [rule("pets.test", "www.pets.test", 302), rule("old.test", "www.pets.test", 307)],
    };
    const roles = rolesUnder(config, three);
    if (!roles.ok) throw new Error(roles.failure.message);
    const attached = [...roles.value].map(([name, role]) => ({ name, role }));
    expect(configOf(attached)).toEqual(config);
  });

  test("lets a domain that it does not name lead to the primary one for good", () => {
    const roles = rolesUnder({ primary: "old.test", redirects: [] }, three);
    expect(roles.ok && Object.fromEntries(roles.value)).toEqual({
      "old.test": { kind: "primary" },
      "pets.test": { kind: "redirect", to: "old.test", status: 308 },
      "www.pets.test": { kind: "redirect", to: "old.test", status: 308 },
    } satisfies Record<string, DomainRole>);
  });

  for (const status of [301, 302, 307, 308]) {
    test(`takes a redirect with ${status}`, () => {
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

  test("refuses a primary domain that is not attached", () => {
    expect(fault({ primary: "cats.test", redirects: [] })).toEqual(["unknown_domain", "/primary"]);
  });

  test("refuses a redirect from and to a domain that is not attached", () => {
    expect(fault({ redirects: [rule("cats.test", "pets.test")] })).toEqual([
      "unknown_domain",
      "/redirects/0/from",
    ]);
    expect(fault({ redirects: [rule("old.test", "cats.test")] })).toEqual([
      "unknown_domain",
      "/redirects/0/to",
    ]);
  });

  test("refuses a primary domain that leads elsewhere", () => {
    expect(fault({ primary: "pets.test", redirects: [rule("pets.test", "old.test")] })).toEqual([
      "primary_redirects",
      "/redirects/0/from",
    ]);
  });

  test("refuses two redirects of one domain", () => {
    const redirects = [rule("old.test", "pets.test"), rule("old.test", "www.pets.test")];
    expect(fault({ redirects })).toEqual(["duplicate_source", "/redirects/1/from"]);
  });

  test("refuses a domain that leads to itself", () => {
    expect(fault({ redirects: [rule("old.test", "old.test")] })).toEqual([
      "cycle",
      "/redirects/0/to",
    ]);
  });

  test("refuses a circle of three", () => {
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

  test("refuses a redirect to a domain that it does not name and that leads elsewhere", () => {
    expect(fault({ redirects: [rule("old.test", "www.pets.test")] })).toEqual([
      "chain",
      "/redirects/0/to",
    ]);
    const redirects = [rule("pets.test", "www.pets.test")];
    expect(fault({ primary: "old.test", redirects })).toEqual(["chain", "/redirects/0/to"]);
  });

  test("refuses a redirect of a domain that others lead to which it does not name", () => {
    const attached = [...three, primary("new.test")];
    const roles = rolesUnder({ redirects: [rule("pets.test", "new.test")] }, attached);
    expect(roles.ok || [roles.failure.code, roles.failure.pointer]).toEqual([
      "chain",
      "/redirects/0/from",
    ]);
  });

  test("refuses a redirect into a circle that it is no part of", () => {
    const redirects = [
      rule("old.test", "www.pets.test"),
      rule("www.pets.test", "pets.test"),
      rule("pets.test", "www.pets.test"),
    ];
    expect(fault({ redirects })).toEqual(["chain", "/redirects/0/to"]);
  });
});

describe("roles", () => {
  test("the first domain is primary, the next ones lead to it for good", () => {
    expect(roleOfAdded([])).toEqual({ kind: "primary" });
    expect(roleOfAdded([primary("pets.test")])).toEqual({
      kind: "redirect",
      to: "pets.test",
      status: 308,
    });
  });

  test("what led to the primary one before leads to the new one, which that one does too", () => {
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

  test("after the primary one was removed another one can be named", () => {
    const left = [leading("www.pets.test", "pets.test"), leading("old.test", "pets.test")];
    const roles = promoted("old.test", left);
    expect(roles.ok && roles.value.get("www.pets.test")).toEqual({
      kind: "redirect",
      to: "old.test",
      status: 308,
    });
  });
});

describe("the twin", () => {
  test("of a registrable domain is its www, and the other way round", () => {
    expect(twinOf("shelter.org", "@")).toBe("www.shelter.org");
    expect(twinOf("shelter.org", "www")).toBe("shelter.org");
  });

  test("is offered for no other name", () => {
    expect(twinOf("shelter.org", "pets")).toBeUndefined();
    expect(twinOf("shelter.org", "www.pets")).toBeUndefined();
  });
});
