import { expect, test } from "bun:test";
import * as fc from "fast-check";

import { escaped, markup } from "../../../../lib/publishing/storefront/markup.ts";
import { runSeed } from "../../../helpers/chance.ts";
import { anyCharacter } from "../../../helpers/any-character.ts";

test("no untrusted text opens a tag, closes an attribute or begins an entity", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const made = markup`<p title="${text}">${text}</p>`.toString();
      const inner = escaped(text);
      expect(made).toBe(`<p title="${inner}">${inner}</p>`);
      expect(inner).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
    }),
    { seed: runSeed },
  );
});

test("escaped text is parsed back unchanged, except for characters that XML forbids", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const read = escaped(text)
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&#39;", "'")
        .replaceAll("&amp;", "&");
      expect(read).toBe(text);
    }),
    { seed: runSeed },
  );
  expect(escaped("a\u0000b\u001Fc\uFFFFd\uD800e\tf\n")).toBe("a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\tf\n");
});

test("nested markup is not escaped again, and absent parts are omitted", () => {
  const item = (text: string) => markup`<li>${text}</li>`;
  expect(markup`<ul>${[item("a&b"), undefined, false, item("c")]}</ul>${0}`.toString()).toBe(
    "<ul><li>a&amp;b</li><li>c</li></ul>0",
  );
});

test("line breaks of the template are removed, those of texts stay", () => {
  const text = "one\n  two";
  expect(
    markup`
      <p>${text}</p>
      <p>x</p>
    `.toString(),
  ).toBe("<p>one\n  two</p><p>x</p>");
});
