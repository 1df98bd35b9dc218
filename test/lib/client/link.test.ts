import { expect, test } from "bun:test";

import { nextLink } from "../../../lib/client/link.ts";

test("the next link is found among others", () => {
  const header =
    '<https://a/v1/pets>; rel="first", <https://a/v1/pets?cursor=x>; rel="next", <https://a/v1/pets?cursor=y>; rel="prev"';
  expect(nextLink(header)).toBe("https://a/v1/pets?cursor=x");
});

test("the relation's name may be unquoted and come first", () => {
  expect(nextLink("<b>; rel=next")).toBe("b");
  expect(nextLink('<b>;rel=next;title="x", <c>; rel="prev"')).toBe("b");
});

test("a header without a next link has no next page", () => {
  for (const header of [
    null,
    "",
    '<a>; rel="prev"',
    '<a>; rel="nextish"',
    "<a>",
    '<a>; title="next"',
  ]) {
    expect(nextLink(header)).toBeUndefined();
  }
});
