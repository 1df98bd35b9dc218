import { describe, expect, test } from "bun:test";

import { createNonces, retryInstant } from "../../../domains/acme/transport.ts";
import { readDirectory, readRenewalInfo } from "../../../domains/acme/resources.ts";
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

  test("says nothing that could not be shown to people, or copied into a record", () => {
    const escape = "\u001B[2J";
    const meta = {
      caaIdentities: [
        `ca.test${escape}`,
        'ca.test"; accounturi=https://evil.test',
        "ca.test\n",
        "-",
        "x".repeat(254),
        "",
        "ca.test.",
      ],
      termsOfService: `https://ca.test/${escape}`,
      profiles: {
        [`short${escape}`]: "",
        ["x".repeat(101)]: "",
        "two words": "",
        ok: `a${escape}\nb`,
      },
    };
    const website = `https://ca.test/\u202E`;
    const read = readDirectory({ ...endpoints, meta, renewalInfo: `https://ca.test/${escape}` });
    expect(read?.directory).toEqual({
      caaIdentities: ["-"],
      renewalInfo: false,
      externalAccountRequired: false,
      profiles: { ok: "a [2J b" },
    });
    expect(readDirectory({ ...endpoints, newOrder: website })).toBeUndefined();
  });

  test("without a required https endpoint is invalid", () => {
    for (const name of Object.keys(endpoints)) {
      expect(readDirectory({ ...endpoints, [name]: undefined })).toBeUndefined();
      expect(readDirectory({ ...endpoints, [name]: "http://ca.test/x" })).toBeUndefined();
    }
  });
});

test("a reason for a renewal has an address that can be shown, or none", () => {
  const suggestedWindow = { start: "2026-11-21T12:00:00Z", end: "2026-11-22T12:00:00Z" };
  const reasonIn = (explanationURL: string) =>
    readRenewalInfo({ suggestedWindow, explanationURL })?.explanationUrl;
  expect(reasonIn("https://ca.test/why?a=b#c")).toBe("https://ca.test/why?a=b#c");
  for (const odd of [
    "https://ca.test/\u001B[31mred",
    "https://ca.test/a\nb",
    "https://ca.test/a b",
    "https://ca.test/\u202Egnp.exe",
    "http://ca.test/",
    `https://ca.test/${"x".repeat(2_048)}`,
  ]) {
    expect(reasonIn(odd)).toBeUndefined();
  }
});
