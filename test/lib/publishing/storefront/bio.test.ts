import { describe, expect, test } from "bun:test";

import { MAX_BIO } from "../../../../lib/publishing/model/animal-files.ts";
import { plainText, firstParagraph } from "../../../../lib/publishing/storefront/bio.ts";
import { openShop } from "../../../helpers/storefront.ts";

test("a bio of the maximum length is shown, a longer one is not", async () => {
  const shop = await openShop({
    files: {
      "/animals/1/bio.md": `Longest${"x".repeat(MAX_BIO - 7)}`,
      "/animals/2/bio.md": `Longer${"x".repeat(MAX_BIO - 5)}`,
    },
  });
  await shop.shelter.addPet();
  await shop.shelter.addPet();
  expect(await shop.page("/animals/1")).toContain("Longest");
  expect(await shop.page("/animals/2")).not.toContain("Longer");
});

test("a bio with invalid UTF-8 is shown with replacement characters", async () => {
  const shop = await openShop({
    files: { "/animals/1/bio.md": new Uint8Array([0x48, 0x69, 0xff]) },
  });
  await shop.shelter.addPet();
  expect(await shop.page("/animals/1")).toContain("<p>Hi\uFFFD</p>");
});

describe("the first paragraph", () => {
  test("is text without markup", () => {
    expect(
      firstParagraph("<h3>No</h3>\n<p>A <em>kind</em> &amp; &lt;calm&gt;\n soul</p>\n<p>More</p>"),
    ).toBe("A kind & <calm> soul");
  });

  test("is cut between words and never within a character", () => {
    const cut = firstParagraph(`<p>${"word ".repeat(100)}</p>`);
    expect(cut).toEndWith("word…");
    expect(cut.length).toBeLessThanOrEqual(241);
    expect(firstParagraph(`<p>${"👩‍👩‍👧‍👦".repeat(100)}</p>`)).toMatch(/^(?:👩‍👩‍👧‍👦)+…$/u);
  });

  test("is empty without a paragraph", () => {
    expect(firstParagraph("<ul><li>x</li></ul>")).toBe("");
    expect(firstParagraph("")).toBe("");
  });
});

test("without a Markdown renderer, paragraphs stay and everything else is text", () => {
  expect(plainText("*One* <b>\nstill one\r\n\r\n# Two\n \n\n")).toBe(
    "<p>*One* &lt;b&gt;\nstill one</p>\n<p># Two</p>",
  );
});
