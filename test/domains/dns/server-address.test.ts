import { expect, test } from "bun:test";

import { formatServerAddress, parseServerAddress } from "../../../domains/dns/server-address.ts";

test.each([
  ["192.0.2.53", "192.0.2.53", 53, "192.0.2.53"],
  ["192.0.2.53:53", "192.0.2.53", 53, "192.0.2.53"],
  ["192.0.2.53:5353", "192.0.2.53", 5353, "192.0.2.53:5353"],
  ["2001:db8::53", "2001:db8::53", 53, "2001:db8::53"],
  ["[2001:db8::53]", "2001:db8::53", 53, "2001:db8::53"],
  ["[2001:db8::53]:5353", "2001:db8::53", 5353, "[2001:db8::53]:5353"],
])("%s is a server at %s port %i, shown as %s", (text, address, port, shown) => {
  expect(parseServerAddress(text)).toEqual({ address, port });
  expect(formatServerAddress({ address, port })).toBe(shown);
});

test.each([
  "",
  "dns.example.org",
  "192.0.2.53:",
  "192.0.2.53:0",
  "192.0.2.53:65536",
  "192.0.2.53:dns",
  "[192.0.2.53]:53",
  "[2001:db8::53",
  "[2001:db8::53]5353",
  "https://192.0.2.53/dns-query",
  "192.0.2.53 ",
])("%p is not a server address", (text) => {
  expect(parseServerAddress(text)).toBeUndefined();
});
