import { describe, expect, test } from "bun:test";

import { afterSignIn } from "../../../../../dashboard/app/pages/sign-in/after-sign-in.ts";

const OWN = "https://pets.example.org";

describe("after signing in", () => {
  test.each([
    "/accounts/acc_1/animals?status=sold#7",
    "/projects/otters/domains/pets.shelter.org",
    "/",
    `${OWN}/profile`,
  ])("opens the wanted page %s", (wanted) => {
    expect(OWN + afterSignIn(wanted, OWN)).toBe(new URL(wanted, OWN).href);
  });

  test.each([
    undefined,
    "",
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "http://pets.example.org/",
    "https://pets.example.org.evil.example/",
    "https://pets.example.org@evil.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://",
    "/sign-in?to=/sign-in",
    "/reset",
    // Paths that browsers would read as hosts.
    "/.//evil.example",
    "/a/..//evil.example/x",
    `${OWN}//evil.example`,
  ])("does not open %p", (wanted) => {
    expect(afterSignIn(wanted, OWN)).toBe("/");
  });
});
