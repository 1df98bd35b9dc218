import { expect, test } from "bun:test";
import { findingCodes, type Severity } from "../../../domains/model/finding-facts.ts";

const guide = await Bun.file(new URL("../../../docs/findings.md", import.meta.url)).text();
const [, ...sections] = guide.split(/^## /m);
const words: Readonly<Record<Severity, string>> = {
  blocking: "Blocks",
  warning: "Warning",
  ok: "All right",
};

test("the guide has exactly one section per code, in order", () => {
  const headings = sections.map((section) => section.slice(0, section.indexOf("\n")));
  expect(headings).toEqual(Object.keys(findingCodes));
});

test("a section starts with its code's title and severity", () => {
  const heads = sections.map((section) => section.split("\n")[2]);
  const wanted = Object.values(findingCodes).map(
    ({ title, severity }) => `**${title}.** ${words[severity]}.`,
  );
  expect(heads).toEqual(wanted);
});

test("a section has an explanation", () => {
  const short = sections.filter(
    (section) => section.split("\n").slice(4).join(" ").trim().length < 60,
  );
  expect(short).toEqual([]);
});
