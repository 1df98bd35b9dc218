import { describe, expect, test } from "bun:test";

import { readName } from "../../../../../dashboard/app/pages/domains/names.ts";
import { effortMs } from "../../../../helpers/effort.ts";

describe("a typed name", () => {
  test.each([
    ["pets.shelter.org", "pets.shelter.org"],
    ["  Pets.Shelter.ORG. ", "pets.shelter.org"],
    ["tierheim-münchen.de", "xn--tierheim-mnchen-8vb.de"],
    ["例え。テスト", "xn--r8jz45g.xn--zckzah"],
    ["a.b", "a.b"],
  ])("%s is %s in the DNS", (typed, ascii) => {
    expect(readName(typed)).toMatchObject({ ascii });
  });

  test("keeps its Unicode form", () => {
    expect(readName("Tierheim-MÜNCHEN.de").name).toBe("tierheim-münchen.de");
  });

  test.each([
    "https://pets.shelter.org",
    "HTTP://Pets.Shelter.org:8080/animals?page=2#rex",
    "//pets.shelter.org/",
    "pets.shelter.org/animals",
    "pets.shelter.org:443",
    "“pets.shelter.org”",
    "„pets.shelter.org.“,",
    "<https://pets.shelter.org/>",
    "\u200Bpets.\u00ADshelter.org\uFEFF",
  ])("is extracted from %s", (typed) => {
    expect(readName(typed)).toEqual({
      name: "pets.shelter.org",
      pasted: true,
      ascii: "pets.shelter.org",
    });
  });

  test("does not count as pasted because of upper case", () => {
    expect(readName("Pets.shelter.org").pasted).toBe(false);
  });

  test.each([
    ["", "empty"],
    ["   ", "empty"],
    ["https://", "empty"],
    ["203.0.113.9", "ip_address"],
    ["[2001:db8::1]", "ip_address"],
    ["2001:db8::1", "ip_address"],
    ["*.shelter.org", "wildcard"],
    ["*", "wildcard"],
    ["shelter", "single_label"],
    ["info@shelter.org", "mail"],
    ["pets shelter.org", "invalid"],
    ["pets_1.shelter.org", "invalid"],
    ["-pets.shelter.org", "invalid"],
    ["pets..shelter.org", "invalid"],
    [`${"a".repeat(64)}.org`, "invalid"],
    [`${"a.".repeat(127)}org`, "too_long"],
  ] as const)("%s is refused as %s", (typed, fault) => {
    const read = readName(typed);
    expect(read.fault).toBe(fault);
    expect(read.ascii).toBeUndefined();
  });

  test("of any length is parsed quickly", async () => {
    const effort = await effortMs(() => {
      readName("a.".repeat(100_000));
      readName(`https://${"x".repeat(200_000)}`);
      readName(":".repeat(200_000));
      readName(`x${",".repeat(200_000)}x`);
    });
    expect(effort).toBeLessThan(1_000);
  });
});
