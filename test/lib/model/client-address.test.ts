import { describe, expect, test } from "bun:test";

import { addressBlock, parseAddress } from "../../../lib/model/client-address.ts";
import { chance } from "../../helpers/chance.ts";

describe("one client", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["0.0.0.0", "0.0.0.0"],
    ["255.255.255.255", "255.255.255.255"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:c000:201", "192.0.2.1"],
    ["0:0:0:0:0:ffff:c000:0201", "192.0.2.1"],
    ["0000:0000:0000:0000:0000:ffff:192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1%eth0", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:0001:0002::", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::", "2001:db8:1:3::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["fe80::2%25en1", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
    ["::2:3:4:5:6:7:8", "0:2:3:4::/64"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
    ["::192.0.2.1", "0:0:0:0::/64"],
  ])("%s is counted as %s", (text, block) => {
    expect(addressBlock(text)).toBe(block);
  });
});

describe("not an address", () => {
  test.each([
    "",
    " 192.0.2.1",
    "192.0.2.1 ",
    "192.0.2",
    "192.0.2.1.5",
    "192.0.2.256",
    "192.0.2.01",
    "192.0.2.-1",
    "192.0.2.1e1",
    "192.0.2.0x1",
    "192.0.2.1%eth0",
    "192.0.2.1:80",
    "localhost",
    ":",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8::",
    "::1:2:3:4:5:6:7:8",
    ":1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:",
    "2001:db8::g",
    "2001:db8::12345",
    "192.0.2.1::",
    "::192.0.2.1:5",
    "1:2:3:4:5:6:7:192.0.2.1",
    "[::1]",
    "[::1]:80",
    "unix:",
    "%eth0",
    ":".repeat(101),
    `::1%${"x".repeat(1_000)}`,
  ])("is %j", (text) => {
    expect(parseAddress(text)).toBeUndefined();
    expect(addressBlock(text)).toBeUndefined();
  });
});

test("an address has 4 or 16 bytes", () => {
  expect([...(parseAddress("192.0.2.1") ?? [])]).toEqual([192, 0, 2, 1]);
  expect([...(parseAddress("::ffff:192.0.2.1") ?? [])]).toEqual([192, 0, 2, 1]);
  const six = [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1f];
  expect([...(parseAddress("2001:db8::1f") ?? [])]).toEqual(six);
});

test("every spelling of an address gives the same bytes", () => {
  const random = chance();
  for (let round = 0; round < 2_000; round++) {
    const groups = Array.from({ length: 8 }, () =>
      random.true(0.5) ? 0 : random.between(0, 0xffff),
    );
    const hex = groups.map((group) => group.toString(16));
    const padded = hex.map((group) => group.padStart(random.between(1, 4), "0").toUpperCase());
    // URL writes the shortest form (RFC 5952).
    const shortest = new URL(`http://[${hex.join(":")}]/`).hostname.slice(1, -1);
    const [high = 0, low = 0] = groups.slice(6);
    const quad = [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
    const mixed = `${hex.slice(0, 6).join(":")}:${quad}`;
    const [plain, ...others] = [hex.join(":"), padded.join(":"), shortest, mixed].map((text) =>
      parseAddress(text)?.join(" "),
    );
    expect(plain).toBeDefined();
    for (const other of others) expect(other).toBe(plain);
  }
});

test("any input gives a result without throwing", () => {
  const random = chance();
  const letters = ":.%[]0123456789abcdefg/ \0\u00e9".split("") as [string, ...string[]];
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: random.between(0, 20) }, () => random.pick(letters)).join("");
    const length = parseAddress(text)?.length;
    expect([undefined, 4, 16]).toContain(length);
  }
});
