import { markdown } from "../../../adapters/markdown.ts";
import { jsonSteps, parseJson, parseJsonText } from "../../../lib/base/json.ts";
import { NewPetSchema } from "../../../lib/catalogue/schema.ts";
import { readJson } from "../../../lib/http/body.ts";
import { checkTyped } from "../../../lib/enquiries/model.ts";
import { bornAt, dateIn } from "../../../lib/import/dates.ts";
import { planImport } from "../../../lib/import/plan.ts";
import { openTable } from "../../../lib/import/reading/open.ts";
import { TableRefused } from "../../../lib/import/table.ts";
import { plainText as textOfHtml } from "../../../lib/import/plain-text.ts";
import { sexMeant, statusMeant, valueForm } from "../../../lib/import/words.ts";
import { categoryFinder } from "../../../lib/import/species.ts";
import { serverSentEvents } from "../../../lib/management/client-events.ts";
import { ArchiveRefused } from "../../../lib/publishing/archive/refused.ts";
import { readSiteFile } from "../../../lib/publishing/ingest/site-file.ts";
import { readTyped } from "../../../lib/publishing/storefront/enquiry-page.ts";
import { firstParagraph, plainText } from "../../../lib/publishing/storefront/bio.ts";
import type { Chance } from "../../helpers/chance.ts";
import { ofBytes, ofText, type Decoder } from "../kit/decoder.ts";
import { LETTERS, listOf, textOf, VISIBLE } from "./writing.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const NUMBERS: readonly [string, ...string[]] = [
  "0",
  "-0",
  "1",
  "-1.5e3",
  "9007199254740993",
  "1e400",
  "0.1",
  "01",
  "1.",
  "12",
];

/** A JSON value, nested a few levels. */
function json(random: Chance, depth = 3): string {
  const blank = random.pick(["", "", "", " ", "\n\t"]);
  switch (random.between(0, depth > 0 ? 5 : 3)) {
    case 0:
      return random.pick(NUMBERS);
    case 1:
      return random.pick(["true", "false", "null"]);
    case 2:
    case 3:
      return JSON.stringify(textOf(random, VISIBLE, 0, 12)).replace(
        "a",
        random.pick(["a", "\\u0061", "\\ud800", "\\n"]),
      );
    case 4:
      return `[${blank}${listOf(0, 4, random, () => json(random, depth - 1)).join(`${blank},`)}]`;
    default:
      return `{${listOf(0, 4, random, () => `"${textOf(random, LETTERS, 0, 3)}"${blank}:${json(random, depth - 1)}`).join(",")}${blank}}`;
  }
}

const newPet = (random: Chance): string =>
  JSON.stringify({
    name: textOf(random, VISIBLE, 1, 12),
    categoryId: random.pick([1, 0, -1, 1.5, 2 ** 53]),
    ...(random.true(0.5) && { status: random.pick(["available", "sold", "reserved"]) }),
    ...(random.true(0.5) && { priceCents: random.between(0, 10_000) }),
  });

const siteFile = (random: Chance): string => {
  const path = (): string => random.pick(["/a", "/b", "/b/*", "/ä", "/a//b", "/*", "a", "/c?d"]);
  const host = (): string =>
    random.pick(["pets.example.org", "www.example.org", "müller.example", "a"]);
  const redirect = (): object => ({
    from: path(),
    to: random.pick([path(), "https://example.org/*", "https://example.org"]),
    ...(random.true(0.3) && { status: random.pick([301, 308, 303]) }),
  });
  return JSON.stringify({
    ...(random.true(0.5) && { title: textOf(random, VISIBLE, 1, 20) }),
    ...(random.true(0.3) && { language: random.pick(["de", "en-GB", "x"]) }),
    ...(random.true(0.5) && { redirects: listOf(0, 4, random, redirect) }),
    ...(random.true(0.3) && { headers: [{ for: path(), values: { "X-Frame-Options": "DENY" } }] }),
    ...(random.true(0.3) && { notFound: path() }),
    ...(random.true(0.3) && { theme: { accent: random.pick(["#1e6f5c", "red"]), logo: "/a" } }),
    ...(random.true(0.3) && {
      storefront: random.pick<object | false>([
        false,
        { pageSize: 24, contact: { email: "a@b.example", phone: "+1 555 0100" } },
      ]),
    }),
    ...(random.true(0.3) && {
      domains: {
        primary: host(),
        redirects: listOf(0, 3, random, () => ({ from: host(), to: host() })),
      },
    }),
  });
};

/** A site file of the largest size, with rules that lead from one to the next. */
const manyRedirects = (size: number): Uint8Array => {
  const count = Math.min(1_000, Math.floor(size / 250));
  const long = "x".repeat(60);
  const redirects = Array.from({ length: count }, (_, index) => ({
    from: `/${long}/${index}/*`,
    to: `/${long}/${(index + 1) % count}/*`,
  }));
  return bytesOf(JSON.stringify({ redirects }));
};

const cell = (random: Chance): string =>
  random.pick([
    "Rex",
    "",
    "available",
    "1",
    '"a ""b"" c"',
    '"two\nlines"',
    '"x',
    'y"z',
    textOf(random, VISIBLE, 0, 8),
  ]);

const csv = (random: Chance): string => {
  const separator = random.pick([",", ";", "\t"]);
  const end = random.pick(["\n", "\r\n"]);
  const header = ["name", "category", random.pick(["status", "stauts", "Name"])].join(separator);
  const rows = listOf(0, 4, random, () => [cell(random), "Dogs", cell(random)].join(separator));
  return [random.pick(["", "\ufeff"]) + header, ...rows].join(end) + random.pick([end, ""]);
};

const finder = categoryFinder([{ id: 1, name: "Cats" }]);

const html = (random: Chance): string =>
  listOf(1, 12, random, () =>
    random.pick([
      "<p>",
      "</p>",
      "<br />",
      '<span style="a">',
      "</span>",
      "<li>",
      "<script>",
      "</script>",
      "&amp;",
      "&#10;",
      "&#x1F63A;",
      "a < b",
      "\r\n",
      textOf(random, VISIBLE, 0, 12),
    ]),
  ).join("");

const dateOrAge = (random: Chance): string => {
  const day = (): number => random.between(1, 31);
  const year = random.between(1990, 2030);
  return random.pick([
    `${year}-0${random.between(1, 9)}-${day()}`,
    `${day()}/${day()}/${year} 9:41 AM`,
    `${day()}. Mai ${year}`,
    `${random.between(0, 20)}Y/${random.between(0, 11)}M`,
    `${random.between(0, 20)} ${random.pick(["years", "Monate", "weeks"])}`,
  ]);
};

/** Reads a file of animals from its bytes to a plan. Returns the number of animals. */
async function animalsIn(bytes: Uint8Array): Promise<number> {
  const opened = await openTable({
    async *open() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    },
  });
  if (!opened.ok) return 0;
  const categories = [{ id: 1, name: "Dogs" }];
  const input = { table: opened.value, choices: {}, categories, today: "2026-11-26" };
  return (await planImport(input)).animals;
}

const written = (random: Chance): string => {
  const inline = (): string =>
    random.pick([
      "*a*",
      "**b**",
      "_c_",
      "`d`",
      "[e](https://e.example)",
      "[f][g]",
      "![h](i)",
      "<j@k.l>",
      "<b>",
      "&amp;",
      "\\*",
      "m  \n",
      textOf(random, VISIBLE, 0, 10),
    ]);
  const block = (): string =>
    random.pick([
      "",
      "# ",
      "> ",
      "- ",
      "1. ",
      "    ",
      "```\n",
      "[g]: https://g.example\n",
      "***\n",
      "| a | b |\n",
    ]) + listOf(0, 5, random, inline).join(" ");
  return listOf(0, 4, random, block).join(random.pick(["\n", "\n\n"]));
};

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> => {
  const reader = new Blob([Uint8Array.from(bytes)]).stream();
  return reader;
};

/** A form of the storefront as a browser sends it, or as a program does. */
function typedForm(random: Chance): string {
  const value = (): string =>
    random.pick([
      "yes",
      "Kim Petersen",
      "kim@example.com",
      "%C3%A4%0D%0A",
      "%",
      "%F0%9F%90%88",
      "+49 30 1",
      textOf(random, VISIBLE, 0, 60),
    ]);
  const names = ["name", "email", "phone", "message", "consent", "extra", "stamp", "x"];
  const fields = names.map((name) => `${name}=${value()}`);
  return random.true(0.7)
    ? fields.join("&")
    : listOf(0, 12, random, () => random.pick(fields as [string, ...string[]])).join("&");
}

export const documents: readonly Decoder[] = [
  ofBytes({
    name: "enquiry form",
    inputs: 20_000,
    file: "lib/publishing/storefront/enquiry-page.ts",
    valid: (random) => bytesOf(typedForm(random)),
    decode: (body) => "content" in checkTyped(readTyped(body)),
    longest: 64 * 1_024,
    extremes: [
      (size) => bytesOf("&".repeat(size)),
      (size) => bytesOf("name=".repeat(size / 5)),
      (size) => bytesOf(`message=${"%CC%81".repeat(size / 6)}`),
      (size) => bytesOf(`name=${"+".repeat(size)}`),
      (size) => bytesOf(`email=${"a.".repeat(size / 2)}`),
    ],
  }),
  ofBytes({
    name: "JSON body",
    file: "lib/base/json.ts",
    valid: (random) => bytesOf(random.true(0.5) ? json(random) : newPet(random)),
    longest: 64 * 1_024,
    decode: (bytes) => {
      readJson(bytes, NewPetSchema);
      return parseJson(bytes, 32).ok;
    },
    extremes: [
      (size) => bytesOf("[".repeat(size)),
      (size) => bytesOf('{"a":'.repeat(size / 5)),
      (size) => bytesOf(`[${"[],".repeat(size / 3)}0]`),
      (size) =>
        bytesOf(`{${Array.from({ length: size / 10 }, (_, index) => `"a${index}":0`).join(",")}}`),
      (size) => bytesOf(`"${"\\u0061".repeat(size / 6)}"`),
      (size) => bytesOf(`1${"0".repeat(size)}e-${size}`),
      (size) => bytesOf(`-0.${"0".repeat(size)}1`),
    ],
  }),
  ofText({
    name: "JSON text, in steps",
    file: "lib/base/json.ts",
    valid: (random) => json(random, 5),
    // A large body is read in steps; this is its largest.
    longest: 1_024 * 1_024,
    stretches: 12,
    nests: [
      ["[", "]"],
      ['{"a":', "}"],
      ['[{"b":', "}]"],
    ],
    decode: (text) => {
      const steps = jsonSteps(bytesOf(text), 32, "The body");
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done === true) return step.value.ok && parseJsonText(text, 32, "It").ok;
      }
    },
  }),
  ofBytes({
    name: "petstore.site.json",
    file: "lib/publishing/ingest/site-file.ts",
    valid: (random) => bytesOf(siteFile(random)),
    longest: 256 * 1_024,
    stretches: 10,
    inputs: 50_000,
    decode: (bytes) => readSiteFile(bytes, [{ path: "/a", type: "image/png" }]),
    refuses: (error) => error instanceof ArchiveRefused,
    extremes: [manyRedirects],
  }),
  ofBytes({
    name: "CSV of animals",
    file: "lib/import/plan.ts",
    valid: (random) => bytesOf(csv(random)),
    longest: 64 * 1_024,
    stretches: 4,
    inputs: 1_000,
    // Rows of a few bytes take 20 each.
    perByteUs: 10,
    decode: async (bytes) => (await animalsIn(bytes)) > 0,
    refuses: (error) => error instanceof TableRefused,
    extremes: [
      (size) => bytesOf(`name,category\n${'"'.repeat(size)}`),
      (size) => bytesOf(`name,category\n${'"a\n'.repeat(size / 3)}`),
      (size) => bytesOf(`name,category\n${',"""\n'.repeat(size / 5)}`),
      (size) => bytesOf(`name,category\n"${'""\n'.repeat(size / 3)}`),
      (size) => bytesOf(`${"name,".repeat(size / 5)}category\n`),
      (size) => bytesOf(`${"stauts,".repeat(size / 7)}category\n`),
    ],
  }),
  ofBytes({
    name: "NDJSON of animals",
    file: "lib/import/reading/open.ts",
    valid: (random) =>
      bytesOf(listOf(1, 4, random, () => newPet(random)).join(random.pick(["\n", "\r\n", "\n\n"]))),
    longest: 64 * 1_024,
    stretches: 4,
    inputs: 1_000,
    // Rows of a few bytes take 20 each.
    perByteUs: 10,
    decode: async (bytes) => (await animalsIn(bytes)) > 0,
    refuses: (error) => error instanceof TableRefused,
  }),
  ofText({
    name: "Markdown",
    file: "adapters/markdown.ts",
    valid: written,
    // The largest description of an animal.
    longest: 64 * 1_024,
    inputs: 2_000,
    stretches: 4,
    perByteUs: 20,
    nests: [
      ["> ", ""],
      ["- ", ""],
      ["[", "](a)"],
      ["*a ", "*"],
      ["**", "**"],
      ["![", "]"],
      ["`", "`"],
    ],
    decode: (text) => firstParagraph(markdown(text)),
  }),
  ofText({
    name: "plain description",
    file: "lib/publishing/storefront/bio.ts",
    valid: written,
    longest: 64 * 1_024,
    inputs: 1_000,
    decode: (text) => firstParagraph(plainText(text)),
    nests: [
      ["\n", " "],
      ["\n \n", "\r"],
    ],
  }),
  ofText({
    name: "HTML of an imported text",
    file: "lib/import/plain-text.ts",
    valid: html,
    longest: 256 * 1_024,
    inputs: 10_000,
    stretches: 16,
    decode: (text) => textOfHtml(text) !== "",
    nests: [
      ["<p>", "</p>"],
      ["<script>", "</script>"],
      ["<br", ">"],
      ["&#", ";"],
      ["<p ", "x"],
    ],
  }),
  ofText({
    name: "date or age of an imported animal",
    file: "lib/import/dates.ts",
    valid: dateOrAge,
    longest: 64 * 1_024,
    inputs: 20_000,
    stretches: 16,
    decode: (text) => dateIn(text, undefined) ?? dateIn(text, "day") ?? bornAt(text, "2026-11-26"),
    nests: [
      ["1 ", "y"],
      ["1.", " "],
    ],
  }),
  ofText({
    name: "word of an imported animal",
    file: "lib/import/words.ts",
    valid: (random) =>
      random.pick([" ", "\u00A0", "*"]) +
      random.pick(["Adoptable", "on-hold", "Männlich", "Neutered Male", "Katzen", "n/a"]),
    longest: 64 * 1_024,
    inputs: 20_000,
    stretches: 16,
    decode: (text) =>
      statusMeant(text) ?? sexMeant(text) ?? finder.find(text) ?? valueForm(text) !== "",
    nests: [
      [" ", "-"],
      ["_", "_"],
    ],
  }),
  ofBytes({
    name: "server-sent events",
    file: "lib/management/client-events.ts",
    valid: (random) =>
      bytesOf(
        listOf(1, 4, random, () =>
          listOf(1, 4, random, () =>
            random.pick(["event: a", "data: {}", "data:b", "id: 7", ": open", "retry: 2"]),
          ).join("\n"),
        ).join(random.pick(["\n\n", "\r\n\r\n"])) + random.pick(["\n\n", ""]),
      ),
    longest: 64 * 1_024,
    inputs: 5_000,
    stretches: 20,
    decode: async (bytes) => {
      let count = 0;
      for await (const _ of serverSentEvents(streamOf(bytes))) count++;
      return count > 0;
    },
  }),
];
