import { expect, test } from "bun:test";

import { nextLink } from "../../../lib/client/link.ts";

test("the next page is found among other links", () => {
  const header =
    '<https://a/v1/pets>; rel="first", <https://a/v1/pets?cursor=x>; rel="next", <https://a/v1/pets?cursor=y>; rel="prev"';
  expect(nextLink(header)).toBe("https://a/v1/pets?cursor=x");
});

test("the name of the relation may stand without quotes, and first", () => {
  expect(nextLink("<b>; rel=next")).toBe("b");
  expect(nextLink('<b>;rel=next;title="x", <c>; rel="prev"')).toBe("b");
});

test("without a next link there is none", () => {
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
