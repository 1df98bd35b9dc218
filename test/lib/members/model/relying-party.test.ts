import { expect, test } from "bun:test";

import { relyingPartyAt } from "../../../../lib/members/passkeys.ts";

test("a relying party is the host name, with the whole origin", () => {
  expect(relyingPartyAt("https://pets.example.org:8443")).toEqual({
    id: "pets.example.org",
    origin: "https://pets.example.org:8443",
  });
  expect(relyingPartyAt("http://localhost:8080")?.id).toBe("localhost");
  expect(relyingPartyAt("http://dev.localhost")?.id).toBe("dev.localhost");
});

test("an address where browsers create no passkeys has no relying party", () => {
  for (const origin of [
    "http://pets.example.org",
    "http://127.0.0.1:8080",
    "https://192.0.2.1",
    "https://[::1]",
    "",
    "null",
  ]) {
    expect([origin, relyingPartyAt(origin)]).toEqual([origin, undefined]);
  }
});
