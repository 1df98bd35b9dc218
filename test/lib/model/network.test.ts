import { expect, test } from "bun:test";

import { isInNetworks } from "../../../lib/model/client-address.ts";
import { MAX_NETWORK_LENGTH, normalNetwork } from "../../../lib/model/network.ts";

test.each([
  ["203.0.113.9", "203.0.113.9/32"],
  ["10.1.2.3/8", "10.0.0.0/8"],
  ["192.168.255.255/17", "192.168.128.0/17"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  [" 10.0.0.0/8 ", "10.0.0.0/8"],
  ["2001:DB8::1", "2001:db8::1/128"],
  ["2001:db8:1:2:3:4:5:6/64", "2001:db8:1:2::/64"],
  ["fd12:3456::/7", "fc00::/7"],
  ["::/0", "::/0"],
  ["::1", "::1/128"],
  ["1::", "1::/128"],
  ["0:0:1::2/128", "0:0:1::2/128"],
  ["1:0:0:2:0:0:0:3", "1:0:0:2::3/128"],
  ["1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7/128"],
  ["10:0:0:1:0:0:1:1", "10::1:0:0:1:1/128"],
  ["::ffff:192.0.2.1", "192.0.2.1/32"],
])("%p is the network %p", (text, normal) => {
  expect(normalNetwork(text)).toBe(normal);
  expect(normalNetwork(normal)).toBe(normal);
  expect(normal.length).toBeLessThanOrEqual(MAX_NETWORK_LENGTH);
});

test.each([
  "",
  "/8",
  "10.0.0.0/",
  "10.0.0.0/33",
  "10.0.0.0/08",
  "10.0.0.0/-1",
  "10.0.0.0/8/8",
  "10.0.0/8",
  "010.0.0.0/8",
  "2001:db8::/129",
  "::ffff:192.0.2.0/120",
  "fe80::1%eth0",
  "example.org",
  "10.0.0.0 /8",
  "1".repeat(1_000),
])("%p is no network", (text) => {
  expect(normalNetwork(text)).toBeUndefined();
});

test("the longest network is accepted", () => {
  const longest = `${"ffff:".repeat(7)}ffff/128`;
  expect(normalNetwork(longest)).toBe(longest);
  expect(longest).toHaveLength(MAX_NETWORK_LENGTH);
});

test("an address is matched by the prefix bits, in any spelling", () => {
  const office = ["203.0.113.0/29", "2001:db8:1::/48"];
  expect(isInNetworks("203.0.113.7", office)).toBe(true);
  expect(isInNetworks("203.0.113.8", office)).toBe(false);
  expect(isInNetworks("::ffff:203.0.113.7", office)).toBe(true);
  expect(isInNetworks("2001:DB8:1:ffff::1", office)).toBe(true);
  expect(isInNetworks("2001:db8:2::1", office)).toBe(false);
});

test("the network of all IPv4 addresses contains no IPv6 address", () => {
  expect(isInNetworks("::1", ["0.0.0.0/0"])).toBe(false);
  expect(isInNetworks("127.0.0.1", ["::/0"])).toBe(false);
});

test("an unknown or invalid address is in no network", () => {
  expect(isInNetworks(undefined, ["0.0.0.0/0", "::/0"])).toBe(false);
  expect(isInNetworks("here", ["0.0.0.0/0", "::/0"])).toBe(false);
});
