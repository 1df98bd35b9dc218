import { expect, test } from "bun:test";

import { helpLink } from "../../../dashboard/help/manual.ts";
import { render } from "../../../dashboard/help/render.ts";

const bodyOf = (text: string): string => render(text).body.toString();

test("the first heading is the title, and the others have anchors", () => {
  const { title, body, headings } = render(
    "# Limits & more\n\n## The `429`\n\ntext\n\n### no_record\n",
  );
  expect(title).toBe("Limits & more");
  expect(headings).toEqual([
    { id: "the-429", level: 2, text: "The 429" },
    { id: "no_record", level: 3, text: "no_record" },
  ]);
  expect(body.toString()).toContain(
    '<h2 id="the-429"><a href="#the-429">The <code>429</code></a></h2>',
  );
  expect(body.toString()).not.toContain("<h1");
});

test("equal headings have different ids", () => {
  expect(render("# T\n\n## A b\n\n## A b\n").headings.map(({ id }) => id)).toEqual([
    "a-b",
    "a-b-1",
  ]);
});

test.each([
  ["limits.md", "/help/limits"],
  ["limits.md#bans", "/help/limits#bans"],
  ["#bans", "#bans"],
  ["https://publicsuffix.org", "https://publicsuffix.org"],
  ["petstore.service", "/help/petstore.service"],
  ["../examples/site", undefined],
  ["decisions/README.md", undefined],
  ["toString", undefined],
])("a link to %s leads to %p", (href, to) => {
  expect(helpLink(href)).toBe(to as string);
});

test("a link to a missing page becomes its text", () => {
  expect(bodyOf("# T\n\nSee [the example](../examples/site).")).toBe("<p>See the example.</p>");
});

test("images and comments are removed", () => {
  expect(
    bodyOf("# T\n\n<!-- a:begin -->\nx\n\n![A site](storefront.png)\n\n<!-- a:end -->\n"),
  ).toBe("<p>x</p>\n");
});

test("raw HTML is escaped", () => {
  expect(bodyOf("# T\n\n<script>alert(1)</script>")).not.toContain("<script");
});

test("a table can be scrolled, and an empty corner is not a header", () => {
  const html = bodyOf("# T\n\n| | b |\n|---|---|\n| c | d |\n");
  expect(html).toStartWith('<div class="table" tabindex="0"');
  expect(html).toContain("<td></td>\n<th>b</th>");
});

test("code is unchanged and highlighted", () => {
  const html = bodyOf('# T\n\n```json\n{ "a<b": "x & y" }\n```\n');
  expect(html).toContain(
    '<i class="k">&quot;a&lt;b&quot;</i>: <i class="s">&quot;x &amp; y&quot;</i>',
  );
});
