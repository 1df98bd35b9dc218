import { describe, expect, test } from "bun:test";
import { isIn, parseAddress } from "../../../lib/model/client-address.ts";
import { cdnOf, cdnNetworks } from "../../../domains/model/cdn.ts";

function inside(address: string, block: readonly [string, number]): boolean {
  return isIn(parseAddress(address) ?? new Uint8Array(), block);
}

describe("a proxy network", () => {
  test("is recognized by the first and last address of a block", () => {
    expect(cdnOf(["104.16.0.0"])).toBe("Cloudflare");
    expect(cdnOf(["104.23.255.255"])).toBe("Cloudflare");
    expect(cdnOf(["104.15.255.255"])).toBeUndefined();
    expect(cdnOf(["2606:4700:ffff::1"])).toBe("Cloudflare");
    expect(cdnOf(["2606:4701::1"])).toBeUndefined();
    expect(cdnOf(["151.101.1.1"])).toBe("Fastly");
  });

  test("is recognized only if it has all addresses", () => {
    expect(cdnOf(["104.21.5.9", "203.0.113.9"])).toBeUndefined();
    expect(cdnOf(["104.21.5.9", "151.101.1.1"])).toBeUndefined();
    expect(cdnOf(["104.21.5.9", "2606:4700::1"])).toBe("Cloudflare");
    expect(cdnOf([])).toBeUndefined();
    expect(cdnOf(["no address"])).toBeUndefined();
  });

  test("has aligned blocks, a source and a date", () => {
    for (const { blocks, source, takenOn } of cdnNetworks) {
      expect(blocks.filter(([network, bits]) => !inside(network, [network, bits]))).toEqual([]);
      expect(source).toStartWith("https://");
      expect(takenOn).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });
});

describe("an address block", () => {
  test("of IPv4 contains no IPv6 address", () => {
    expect(inside("6810::1", ["104.16.0.0", 13])).toBe(false);
    expect(inside("104.16.0.1", ["6810::", 16])).toBe(false);
  });

  test("may end within an octet", () => {
    expect(inside("10.127.255.255", ["10.0.0.0", 9])).toBe(true);
    expect(inside("10.128.0.0", ["10.0.0.0", 9])).toBe(false);
  });
});
