import { describe, expect, test } from "bun:test";

import { publicSuffixes } from "../../helpers/public-suffixes.ts";
import {
  parseHostname,
  registrableOf,
  type HostnameRules,
} from "../../../domains/model/hostname.ts";
import type { HostnameFault } from "../../../domains/model/hostname-fault.ts";
import { unicodeOf } from "../../../domains/model/idna.ts";

const rules: HostnameRules = {
  suffixes: publicSuffixes,
  ownDomains: ["petstore.example", "petstore-cname.org"],
  allowPrivate: false,
};

function parsed(input: string, more: Partial<HostnameRules> = {}) {
  const result = parseHostname(input, { ...rules, ...more });
  return result.ok ? result.value : result.failure.code;
}

function message(input: string): string {
  const result = parseHostname(input, rules);
  return result.ok ? "" : result.failure.message;
}

describe("an entered domain", () => {
  test("is split into its parts", () => {
    const parts: unknown = parsed("pets.shelter.org");
    expect(parts).toEqual({
      hostname: "pets.shelter.org",
      unicode: "pets.shelter.org",
      registrable: "shelter.org",
      label: "pets",
    });
  });

  test.each([
    ["  Pets.Shelter.ORG  ", "pets.shelter.org"],
    ["pets.shelter.org.", "pets.shelter.org"],
    ["münchen-tiere.de", "xn--mnchen-tiere-dlb.de"],
    ["MÜNCHEN-Tiere.de", "xn--mnchen-tiere-dlb.de"],
    ["xn--mnchen-tiere-dlb.de", "xn--mnchen-tiere-dlb.de"],
    ["例え.jp", "xn--r8jz45g.jp"],
    ["ペット。例え。jp", "xn--9ckk6c.xn--r8jz45g.jp"],
    ["faß.de", "xn--fa-hia.de"],
    ["1.shelter.org", "1.shelter.org"],
    ["a-b--c.shelter.org", "a-b--c.shelter.org"],
  ])("%p is %s", (input, hostname) => {
    expect(parsed(input)).toMatchObject({ hostname });
  });

  test.each<[string, string, string]>([
    ["shelter.org", "shelter.org", "@"],
    ["www.shelter.org", "shelter.org", "www"],
    ["a.b.shelter.co.uk", "shelter.co.uk", "a.b"],
    ["shelter.co.uk", "shelter.co.uk", "@"],
    // The registered domain of a private suffix is the company's.
    ["shelter.github.io", "github.io", "shelter"],
    ["github.io", "github.io", "@"],
    ["pets.city.kawasaki.jp", "city.kawasaki.jp", "pets"],
    ["shelter.unheard-of-ending", "shelter.unheard-of-ending", "@"],
  ])("%s was bought as %s, and is %s there", (input, registrable, label) => {
    expect(parsed(input)).toMatchObject({ registrable, label });
  });

  test("is displayed in Unicode", () => {
    expect(parsed("xn--r8jz45g.jp")).toMatchObject({ unicode: "例え.jp" });
  });

  test.each<[string, HostnameFault["code"]]>([
    ["", "empty"],
    ["   ", "empty"],
    [".", "invalid_character"],
    ["https://pets.shelter.org/", "has_scheme"],
    ["HTTP://pets.shelter.org", "has_scheme"],
    ["//pets.shelter.org", "has_scheme"],
    ["pets.shelter.org/adopt?x=1", "has_path"],
    ["pets.shelter.org#top", "has_path"],
    [String.raw`pets.shelter.org\adopt`, "has_path"],
    ["pets.shelter.org:443", "has_port"],
    ["mail@shelter.org", "has_user"],
    ["192.0.2.1", "ip_address"],
    ["2001:db8::1", "ip_address"],
    ["[2001:db8::1]", "ip_address"],
    ["0x7f.1", "ip_address"],
    ["shelter.0x1f", "ip_address"],
    ["1.2.3.4.5", "ip_address"],
    ["*.shelter.org", "wildcard"],
    ["*", "wildcard"],
    ["pets.*.shelter.org", "invalid_character"],
    ["a_b.shelter.org", "invalid_character"],
    ["a b.shelter.org", "invalid_character"],
    ["a\tb.shelter.org", "invalid_character"],
    ["a%2eb.shelter.org", "invalid_character"],
    ["a\u200db.shelter.org", "invalid_character"],
    ["a\u00adb.shelter.org", "invalid_character"],
    ["shelter.org\u0000", "invalid_character"],
    ["shelter,org", "invalid_character"],
    ["-pets.shelter.org", "invalid_label"],
    ["pets-.shelter.org", "invalid_label"],
    ["pets..shelter.org", "invalid_label"],
    [".shelter.org", "invalid_label"],
    ["shelter.org..", "invalid_label"],
    ["ab--cd.shelter.org", "invalid_label"],
    ["xn--.shelter.org", "invalid_label"],
    ["xn--a.shelter.org", "invalid_label"],
    ["xn--zzzzzzzz99999.shelter.org", "invalid_label"],
    [`${"a".repeat(64)}.org`, "invalid_label"],
    [`${"a".repeat(60)}.`.repeat(5) + "org", "too_long"],
    ["a".repeat(600), "too_long"],
    ["shelter", "single_label"],
    ["localhost", "single_label"],
    ["org", "single_label"],
    ["co.uk", "public_suffix"],
    ["kawasaki.jp", "public_suffix"],
    ["pets.test", "special_use"],
    ["shelter.local", "special_use"],
    ["shelter.internal", "special_use"],
    ["shelter.home.arpa", "special_use"],
    ["shelter.onion", "special_use"],
    ["example.com", "special_use"],
    ["pets.example.org", "special_use"],
    ["1.0.0.127.in-addr.arpa", "special_use"],
    ["petstore.example", "own_domain"],
    ["slug.petstore.example", "own_domain"],
    ["x.petstore-cname.org", "own_domain"],
  ])("%p is refused: %s", (input, code) => {
    expect(parsed(input)).toBe(code);
  });

  test("is not ours because of an equal ending", () => {
    expect(parsed("my-petstore-cname.org")).toMatchObject({ hostname: "my-petstore-cname.org" });
  });

  test("for special use is accepted in private networks, except ours", () => {
    expect(parsed("pets.shelter.test", { allowPrivate: true })).toMatchObject({
      registrable: "shelter.test",
      label: "pets",
    });
    expect(parsed("petstore.example", { allowPrivate: true })).toBe("own_domain");
  });

  test("may have labels of 63 and 253 characters in total", () => {
    const label = "a".repeat(63);
    expect(parsed(`${label}.org`)).toMatchObject({ hostname: `${label}.org` });
    const name = `${label}.${label}.${label}.${"b".repeat(57)}.org`;
    expect(name).toHaveLength(253);
    expect(parsed(name)).toMatchObject({ hostname: name });
    expect(parsed(`b${name}`)).toBe("invalid_label");
    expect(parsed(name.replace(".org", "b.org"))).toBe("too_long");
  });

  test("pasted as a URL is answered with the name to enter", () => {
    expect(message("https://pets.shelter.org:8443/adopt")).toBe(
      "This is a URL. Enter only the name: pets.shelter.org.",
    );
    expect(message("https://user:secret@pets.shelter.org/")).toBe(
      "This is a URL. Enter only the name: pets.shelter.org.",
    );
    expect(message("pets.shelter.org:443")).toEndWith("Enter only the name: pets.shelter.org.");
    expect(message("info@shelter.org")).toEndWith("Enter only the name: shelter.org.");
  });

  test("is clipped in messages", () => {
    expect(message(`https://${"a".repeat(490)}`).length).toBeLessThan(200);
  });
});

describe("look-alikes", () => {
  test.each([
    ["раypal.com", "mixed_scripts"],
    ["аррӏе.com", "resembles_latin"],
    ["ѕсоре.org", "resembles_latin"],
  ])("%s warns of %s", (input, lookAlike) => {
    expect(parsed(input)).toMatchObject({ lookAlike });
  });

  test.each([
    "приют.рф",
    "例えペット.jp",
    "동물shelter.kr",
    "münchen.de",
    "shelter.org",
    "ελλάδα.gr",
  ])("%s does not warn", (input) => {
    expect(parsed(input)).not.toHaveProperty("lookAlike");
    expect(parsed(input)).toHaveProperty("hostname");
  });
});

describe("the public suffix list", () => {
  test("has the package's edition", async () => {
    const { version } = await Bun.file(
      `${import.meta.dir}/../../../node_modules/tldts/package.json`,
    ).json();
    expect(publicSuffixes.edition).toContain(`tldts ${version}, 20`);
  });

  test("knows companies' suffixes", () => {
    expect(registrableOf("shelter.github.io", publicSuffixes, "all")).toBe("shelter.github.io");
    expect(registrableOf("pets.shelter.github.io", publicSuffixes, "all")).toBe(
      "shelter.github.io",
    );
    expect(registrableOf("github.io", publicSuffixes, "all")).toBeUndefined();
    expect(registrableOf("org", publicSuffixes)).toBeUndefined();
  });
});

test("a label with invalid Punycode is displayed as it is", () => {
  expect(unicodeOf("xn--zzzzzzzz99999.org")).toBe("xn--zzzzzzzz99999.org");
  expect(unicodeOf("xn---.org")).toBe("xn---.org");
});

test("Punycode of any length is decoded or kept without an exception", () => {
  const endless = `xn--${"9".repeat(300)}a.org`;
  expect(unicodeOf(endless)).toBe(endless);
  expect(unicodeOf("xn--mnchen-3ya.xn--")).toBe("münchen.xn--");
});
