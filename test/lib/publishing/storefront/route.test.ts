import { expect, test } from "bun:test";
import * as fc from "fast-check";

import {
  listAddress,
  readListQuery,
  addressOf,
  routeOf,
} from "../../../../lib/publishing/storefront/route.ts";
import { runSeed } from "../../../helpers/chance.ts";

const seed = runSeed;

test("a query and its canonical form are equivalent", () => {
  const piece = fc.constantFrom(
    "category",
    "status",
    "after",
    "before",
    "scheme",
    "=",
    "&",
    "1",
    "17",
    "0",
    "-1",
    "sold",
    "dark",
    "%",
    "+",
    "x",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const query = readListQuery(pieces.join(""));
      const address = listAddress("/", query);
      expect(readListQuery(address.slice(2))).toEqual(query);
      expect(address).toMatch(/^\/(\?[a-z]+=[a-z0-9]+(&[a-z]+=[a-z0-9]+)*)?$/);
    }),
    { seed, numRuns: 1_000 },
  );
});

test("each route has one address, which leads back to it", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(
        "/",
        "/embed",
        "/feed.json",
        "/feed.xml",
        "/sitemap.xml",
        "/sitemap-3.xml",
        "/animals/7",
        "/robots.txt",
        "/icon.svg",
      ),
      fc.webQueryParameters(),
      (path, search) => {
        const route = routeOf(path, search);
        const { pathname, searchParams } = new URL(
          addressOf(route ?? { kind: "icon" }),
          "https://x.test",
        );
        expect(pathname).toBe(path);
        expect(routeOf(pathname, searchParams.toString())).toEqual(route);
      },
    ),
    { seed },
  );
});

test("`after` excludes `before`", () => {
  expect(readListQuery("before=3&after=5")).toEqual({ after: 5 });
});
