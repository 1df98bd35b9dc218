import { expect, test } from "bun:test";
import * as fc from "fast-check";

import { markdown } from "../../adapters/markdown.ts";
import { runSeed } from "../helpers/chance.ts";
import { effortMs } from "../helpers/effort.ts";

test("CommonMark becomes HTML, with headings below the page's", () => {
  expect(markdown("# One\n\nA *kind* [dog](https://dogs.test/a).\n\n- x\n\n###### Six")).toBe(
    '<h2>One</h2>\n<p>A <em>kind</em> <a href="https://dogs.test/a">dog</a>.</p>\n<ul>\n<li>x</li>\n</ul>\n<h3>Six</h3>',
  );
});

test("headings start at the second level and skip none", () => {
  const levels = (text: string) =>
    Array.from(markdown(text).matchAll(/<h(\d)>/g), ([, level]) => Number(level));
  expect(levels("## a\n\n### b\n\n## c\n\n###### d\n\n# e\n\n# f")).toEqual([2, 3, 2, 3, 2, 2]);
  expect(levels("###### a\n\n# b\n\n###### c")).toEqual([2, 2, 2]);
});

test("untrusted text produces no harmful element, address or attribute", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "<script>",
      "<img src=x onerror=a>",
      "[a](javascript:alert(1))",
      "![p](https://spy.test/p)",
      "[a](data:text/html,x)",
      "<javascript:a>",
      "<h1 onclick=a>",
      "](",
      "**",
      "`",
      "\n\n",
      "&lt;b&gt;",
      "&#x3c;i>",
      "[a]: vbscript:x\n",
      "\n    code",
      '"',
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const made = markdown(pieces.join(""));
      for (const [tag, name] of made.matchAll(/<\/?([^\s>/]*)[^>]*>/g)) {
        expect([
          "p",
          "em",
          "strong",
          "a",
          "code",
          "pre",
          "ul",
          "ol",
          "li",
          "blockquote",
          "br",
          "hr",
          "h2",
          "h3",
          "h4",
          "h5",
          "h6",
        ]).toContain(name ?? "");
        expect(tag).not.toMatch(/\son\w+=|src=|style=/i);
      }
      expect(made).not.toMatch(/href="(?!https?:|mailto:|[^":]*"|[#?/][^"]*")/i);
    }),
    { seed: runSeed, numRuns: 500 },
  );
});

test("no text of 64 KiB blocks others for long", async () => {
  for (const part of [
    "*a_ ",
    "> ",
    ">",
    "- ",
    "[a](",
    "[",
    "1. ",
    "a\n\t",
    "* * * ",
    "`a``b",
    "w\n\n",
    "<a ",
  ]) {
    const effort = await effortMs(() => {
      markdown(part.repeat(65_536 / part.length));
      markdown(part.repeat(999 / part.length).padEnd(65_536, "word "));
    });
    // Rendering would take minutes; showing it as plain text takes milliseconds.
    expect(effort).toBeLessThan(2_000);
  }
});

test("a text with very many escapes is shown unrendered", () => {
  // Rendering 32,000 of them after `[a](` took more than a second.
  const escapes = "\\.".repeat(1_001);
  expect(markdown(escapes)).toBe(`<p>${escapes}</p>`);
  expect(markdown("\\.".repeat(500))).toBe(`<p>${".".repeat(500)}</p>`);
});
