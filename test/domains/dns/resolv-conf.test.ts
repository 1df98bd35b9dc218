import { expect, test } from "bun:test";

import { serversInResolvConf } from "../../../domains/dns/server-address.ts";

test("the resolvers in resolv.conf are read in order, ignoring other lines", () => {
  const text = [
    "# nameserver 192.0.2.1",
    "search shelter.org",
    "nameserver 192.0.2.53",
    "  nameserver\t2001:db8::53 # the other one",
    "nameserver fe80::1%eth0",
    "nameserver dns.shelter.org",
    "nameserver",
    "options edns0 trust-ad",
  ].join("\n");
  expect(serversInResolvConf(text)).toEqual([
    { address: "192.0.2.53", port: 53 },
    { address: "2001:db8::53", port: 53 },
    { address: "fe80::1%eth0", port: 53 },
  ]);
});

test("without resolvers the list is empty, without a default", () => {
  expect(serversInResolvConf("")).toEqual([]);
});
