import { expect, test } from "bun:test";

import { problems } from "../../lib/base/problem.ts";

const guide = await Bun.file(new URL("../../docs/errors.md", import.meta.url)).text();
const [, ...sections] = guide.split(/^## /m);

test("the guide has exactly one section for every error code, in the order of the registry", () => {
  const headings = sections.map((section) => section.slice(0, section.indexOf("\n")));
  expect(headings).toEqual(Object.keys(problems));
});

test("a section begins with its code's title and status", () => {
  const heads = sections.map((section) => section.split("\n")[2]);
  const wanted = Object.values(problems).map(
    ({ title, status }) => `**${title}.** Status ${status}.`,
  );
  expect(heads).toEqual(wanted);
});

test("a section explains its code in a paragraph", () => {
  const short = sections.filter(
    (section) => section.split("\n").slice(4).join(" ").trim().length < 60,
  );
  expect(short).toEqual([]);
});
