import { describe, expect, test } from "bun:test";

import { clearCookie, sentCookie, setCookie } from "../../../lib/members/cookie.ts";

describe("the cookie of a session", () => {
  test("is found among others", () => {
    expect(sentCookie("a=1; __Host-petstore=token; b=2")).toEqual({
      kind: "token",
      token: "token",
    });
    expect(sentCookie("__Host-petstore=")).toEqual({ kind: "token", token: "" });
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
      expect([header, sentCookie(header).kind]).toEqual([header, "none"]);
    }
  });

  test("is unreadable when it is sent twice", () => {
    const twice = "__Host-petstore=one; __Host-petstore=two";
    expect(sentCookie(twice).kind).toBe("unreadable");
  });

  test("is unreadable in a header of more than 16 KiB", () => {
    const header = (length: number) =>
      `__Host-petstore=token; x=${"y".repeat(length - "__Host-petstore=token; x=".length)}`;
    expect(sentCookie(header(16_384)).kind).toBe("token");
    expect(sentCookie(header(16_385)).kind).toBe("unreadable");
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
