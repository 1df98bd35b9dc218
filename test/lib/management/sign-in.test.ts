import { describe, expect, test } from "bun:test";

import { faultOfSite, signInAt } from "../../../lib/management/sessions.ts";

describe("signing in is", () => {
  for (const origin of [
    "https://pets.example.org",
    "https://192.0.2.1:8443",
    "http://localhost:8080",
    "http://dev.localhost",
    "http://127.0.0.1:8080",
    "http://127.8.9.10",
    "http://[::1]:8080",
  ]) {
    test(`allowed at ${origin}`, () => {
      expect(signInAt(origin)).toBe("allowed");
    });
  }

  for (const origin of [
    "http://pets.example.org",
    "http://192.0.2.1",
    "http://localhost.example.org",
    "http://127.0.0.1.example.org",
    "http://notlocalhost",
    "http://[::2]",
    "",
    "null",
    "/manage/v1",
  ]) {
    test(`refused at ${JSON.stringify(origin)}`, () => {
      expect(signInAt(origin)).toBe("refused");
    });
  }
});

describe("for a request with a session's cookie", () => {
  const OWN = "https://pets.example.org";
  const fault = (method: string, headers: Readonly<Record<string, string>>) =>
    faultOfSite(new Request(`${OWN}/manage/v1/me`, { method, headers }), OWN)?.code;

  test("a change is accepted only from our own pages", () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect(fault(method, { "sec-fetch-site": "same-origin" })).toBeUndefined();
      for (const site of ["same-site", "cross-site", "none", "", "nonsense"]) {
        const headers = { "sec-fetch-site": site, origin: OWN };
        expect([site, fault(method, headers)]).toEqual([site, "cross_site_request"]);
      }
    }
  });

  test("a change without Sec-Fetch-Site needs our origin", () => {
    expect(fault("POST", { origin: OWN })).toBeUndefined();
    for (const origin of [
      "null",
      "http://pets.example.org",
      "https://pets.example.org:8443",
      "https://evil.pets.example.org",
      "https://pets.example.org.evil.example",
    ]) {
      expect([origin, fault("POST", { origin })]).toEqual([origin, "cross_site_request"]);
    }
    expect(fault("POST", {})).toBe("cross_site_request");
  });

  test("a read is refused only when another site requests it", () => {
    for (const method of ["GET", "HEAD"]) {
      expect(fault(method, {})).toBeUndefined();
      expect(fault(method, { "sec-fetch-site": "none" })).toBeUndefined();
      expect(fault(method, { "sec-fetch-site": "same-origin" })).toBeUndefined();
      expect(fault(method, { "sec-fetch-site": "same-site" })).toBe("cross_site_request");
      expect(fault(method, { "sec-fetch-site": "cross-site" })).toBe("cross_site_request");
    }
  });
});
