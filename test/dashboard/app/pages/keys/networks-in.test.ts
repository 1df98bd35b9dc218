import { expect, test } from "bun:test";

import { networksIn } from "../../../../../dashboard/app/pages/keys/networks-in.ts";

test("networks stand in lines, or between commas and spaces", () => {
  expect(networksIn(" 10.0.0.0/8\n\n192.0.2.1, 2001:db8::/48;::1 ")).toEqual({
    networks: ["10.0.0.0/8", "192.0.2.1", "2001:db8::/48", "::1"],
    fault: undefined,
  });
});

test("nothing typed is no network and no fault", () => {
  expect(networksIn(" \n ")).toEqual({ networks: [], fault: undefined });
});

test("what is no network is told", () => {
  expect(networksIn("10.0.0.0/8\n10.0.0.0/33").fault).toEqual({
    kind: "wrong",
    text: "10.0.0.0/33",
  });
});

test("the fifty-first network is one too many", () => {
  const lines = Array.from({ length: 51 }, (_, index) => `10.0.${index}.0/24`);
  expect(networksIn(lines.slice(1).join("\n")).fault).toBeUndefined();
  expect(networksIn(lines.join("\n")).fault).toEqual({ kind: "too-many", most: 50 });
});
