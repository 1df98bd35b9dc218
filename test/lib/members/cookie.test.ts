import { describe, expect, test } from "bun:test";

import { clearCookie, sentProofs, sentSessions, setCookie } from "../../../lib/members/cookie.ts";

describe("the cookie of a session", () => {
  test("is found among others", () => {
    expect(sentSessions("a=1; __Host-petstore=token; b=2")).toEqual(["token"]);
    expect(sentSessions("a=1;\t __Host-petstore=token")).toEqual(["token"]);
    expect(sentSessions("__Host-petstore=")).toEqual([""]);
    expect(sentProofs("__Host-petstore=token; __Host-petstore-proof=1.a")).toEqual(["1.a"]);
  });

  test("is not found under a similar name", () => {
    for (const header of [
      null,
      "",
      "petstore=token",
      "x__Host-petstore=token",
      "__Host-petstore2=token",
      "__host-petstore=token",
      "a=__Host-petstore",
      // Browsers let a sibling host set these, because their names differ.
      "\u00a0__Host-petstore=token",
      "a=1; \u2000__Host-petstore=token",
      "a=1; \ufeff__Host-petstore=token",
    ]) {
      expect([header, sentSessions(header)]).toEqual([header, []]);
    }
  });

  test("is found in a header of any length, before and after what another site has set", () => {
    const others = Array.from({ length: 60 }, (_, index) => `x${index}=${"y".repeat(800)}`);
    expect(sentSessions(["__Host-petstore=token", ...others].join("; "))).toEqual(["token"]);
    expect(sentSessions([...others, "__Host-petstore=token"].join("; "))).toEqual(["token"]);
  });

  test("has all its values if it is sent several times, each once and at most eight", () => {
    expect(sentSessions("__Host-petstore=1; __Host-petstore=2; __Host-petstore=1")).toEqual([
      "1",
      "2",
    ]);
    const many = Array.from({ length: 20 }, (_, index) => `__Host-petstore=${index}`);
    expect(sentSessions(many.join("; "))).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
  });

  test("is limited to this host over HTTPS, and hidden from scripts and other sites", () => {
    const attributes = ["Path=/", "Secure", "HttpOnly", "SameSite=Strict"];
    for (const line of [setCookie("token", 60), clearCookie]) {
      expect(line.split("; ").slice(1, -1)).toEqual(attributes);
      expect(line).not.toContain("Domain");
    }
    expect(setCookie("token", 60)).toEndWith("; Max-Age=60");
    expect(clearCookie).toStartWith("__Host-petstore=; ");
    expect(clearCookie).toEndWith("; Max-Age=0");
  });
});
