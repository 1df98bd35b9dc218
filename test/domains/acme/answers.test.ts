import { describe, expect, test } from "bun:test";

import { createNonces, retryInstant } from "../../../domains/acme/transport.ts";
import { readDirectory } from "../../../domains/acme/resources.ts";
import { DAY_MS, SECOND_MS } from "../../../lib/base/clock.ts";

describe("Retry-After", () => {
  const now = Date.UTC(2026, 10, 21, 12);

  test("is parsed as seconds or as a date", () => {
    expect(retryInstant("120", now)).toBe(now + 120 * SECOND_MS);
    expect(retryInstant("Sat, 21 Nov 2026 13:00:00 GMT", now)).toBe(now + 3_600_000);
  });

  test("is limited to 30 days from now, and never in the past", () => {
    expect(retryInstant("Sun, 06 Nov 1994 08:49:37 GMT", now)).toBe(now);
    expect(retryInstant("999999999999", now)).toBe(now + 30 * DAY_MS);
  });

  test("is ignored if malformed", () => {
    const malformed = [undefined, "", "soon", "-5", "1.5", "1e3", "Sat, 31 Feb 2026 13:00:00 GMT"];
    for (const header of malformed) expect(retryInstant(header, now)).toBeUndefined();
  });
});

describe("kept nonces", () => {
  test("are used once each, newest first", () => {
    const nonces = createNonces();
    nonces.keep("old");
    nonces.keep("young");
    expect([nonces.take(), nonces.take(), nonces.take()]).toEqual(["young", "old", undefined]);
  });

  test("are limited to 32 well-formed ones", () => {
    const nonces = createNonces();
    for (const malformed of [undefined, "", "with space", "x".repeat(513)]) nonces.keep(malformed);
    expect(nonces.take()).toBeUndefined();
    for (let index = 0; index < 100; index++) nonces.keep(`n${index}`);
    const taken = Array.from({ length: 33 }, () => nonces.take());
    expect(taken.filter((one) => one !== undefined).length).toBe(32);
    expect(taken[0]).toBe("n99");
  });
});

describe("a directory", () => {
  const url = (path: string) => `https://ca.test/${path}`;
  const endpoints = {
    newNonce: url("nonce"),
    newAccount: url("account"),
    newOrder: url("order"),
    revokeCert: url("revoke"),
  };

  test("contains the CAA identities and the profiles", () => {
    const meta = {
      caaIdentities: ["CA.test", 5, "other.test"],
      externalAccountRequired: true,
      termsOfService: url("terms"),
      profiles: { classic: "as always", short: 6 },
    };
    expect(readDirectory({ ...endpoints, meta })?.directory).toEqual({
      caaIdentities: ["ca.test", "other.test"],
      renewalInfo: false,
      externalAccountRequired: true,
      termsOfServiceUrl: url("terms"),
      profiles: { classic: "as always", short: "" },
    });
  });

  test("without a required https endpoint is invalid", () => {
    for (const name of Object.keys(endpoints)) {
      expect(readDirectory({ ...endpoints, [name]: undefined })).toBeUndefined();
      expect(readDirectory({ ...endpoints, [name]: "http://ca.test/x" })).toBeUndefined();
    }
  });
});
