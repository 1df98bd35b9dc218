import { describe, expect, test } from "bun:test";

import { contactableAddresses } from "../../../domains/outside/contactable-addresses.ts";

const contacted = (address: string, allowPrivateNetworks = false) =>
  contactableAddresses([address], { allowPrivateNetworks });

const PRIVATE: readonly (readonly [string, string])[] = [
  ["loopback", "127.0.0.1"],
  ["another loopback address", "127.1.2.3"],
  ["IPv6 loopback", "::1"],
  ["10/8", "10.0.0.1"],
  ["172.16/12", "172.31.255.254"],
  ["192.168/16", "192.168.1.1"],
  ["carrier-grade NAT", "100.64.0.1"],
  ["unique local", "fd12:3456:789a::1"],
  ["site-local", "fec0::1"],
  ["benchmarks", "198.18.0.1"],
  ["documentation", "192.0.2.1"],
  ["documentation by IPv6", "2001:db8::1"],
  ["multicast", "224.0.0.1"],
  ["multicast by IPv6", "ff02::1"],
  ["broadcast", "255.255.255.255"],
  ["IPv4-mapped loopback", "::ffff:127.0.0.1"],
  ["IPv4-mapped private, in hexadecimal", "::ffff:a00:1"],
  ["IPv4-compatible loopback", "::127.0.0.1"],
  ["NAT64 of loopback", "64:ff9b::7f00:1"],
  ["6to4 of loopback", "2002:7f00:1::"],
  ["Teredo", "2001::1"],
];

const NEVER: readonly (readonly [string, string])[] = [
  ["unspecified", "0.0.0.0"],
  ["link-local", "169.254.1.1"],
  ["link-local by IPv6", "fe80::1"],
  ["link-local with a zone", "fe80::1%eth0"],
  ["loopback with a zone", "::1%lo"],
  ["metadata", "169.254.169.254"],
  ["IPv4-mapped metadata", "::ffff:169.254.169.254"],
  ["IPv4-mapped metadata, in hexadecimal", "::ffff:a9fe:a9fe"],
  ["metadata of containers", "169.254.170.2"],
  ["AWS metadata over IPv6", "fd00:ec2::254"],
  ["Google metadata over IPv6", "fd20:ce::254"],
  ["Alibaba metadata", "100.100.100.200"],
  ["Oracle metadata", "192.0.0.192"],
  ["Azure WireServer", "168.63.129.16"],
];

/** `inet_aton` accepts all of these as 127.0.0.1 or 169.254.169.254. */
const NO_ADDRESS: readonly (readonly [string, string])[] = [
  ["a decimal number", "2130706433"],
  ["a decimal metadata address", "2852039166"],
  ["a hexadecimal number", "0x7f000001"],
  ["octal", "0177.0.0.1"],
  ["octal with leading zeros", "127.000.000.001"],
  ["hexadecimal octets", "0x7f.0.0.1"],
  ["too few octets", "127.1"],
  ["brackets", "[::1]"],
  ["a port", "127.0.0.1:80"],
  ["a name", "localhost"],
  ["non-ASCII digits", "①②⑦.⓪.⓪.①"],
  ["nothing", ""],
];

describe("an address", () => {
  test.each([...PRIVATE, ...NEVER, ...NO_ADDRESS])(
    "of kind %s (%s) is not contacted",
    (_name, address) => {
      expect(contacted(address)).toEqual([]);
    },
  );

  test.each([...NEVER, ...NO_ADDRESS])(
    "of kind %s (%s) is not contacted in private networks either",
    (_name, address) => {
      expect(contacted(address, true)).toEqual([]);
    },
  );

  test.each(PRIVATE)(
    "of kind %s (%s) is contacted if private networks are allowed",
    (_name, address) => {
      expect(contacted(address, true)).toHaveLength(1);
    },
  );
});

test("one public address per IP version is contacted, IPv4 first, in canonical form", () => {
  const given = ["2606:4700::1", "10.0.0.1", "::ffff:1.1.1.1", "8.8.8.8", "2606:4700::2"];
  expect(contactableAddresses(given, { allowPrivateNetworks: false })).toEqual([
    "1.1.1.1",
    "2606:4700::1",
  ]);
});
