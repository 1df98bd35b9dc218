import { expect, test } from "bun:test";

import { portOf } from "../../settings/addresses.ts";

test.each([
  ["http://127.0.0.1:8080", 8_080],
  ["http://127.0.0.1:80", 80],
  ["https://127.0.0.1:443", 443],
  ["https://[::1]", 443],
])("the port of %s is known, even if the address omits it", (origin, port) => {
  expect(portOf(origin)).toBe(port);
});
