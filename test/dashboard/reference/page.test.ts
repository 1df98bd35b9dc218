import { expect, test } from "bun:test";

import { referencePage } from "../../../dashboard/reference/view/page.ts";
import {
  faultsOf,
  operationIn,
  place,
  reference,
  unmarked,
  wordsOf,
} from "../../helpers/reference.ts";

const page = referencePage(reference, place);
const { operations, schemas, description } = reference;
const ids = Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id = ""]) => id);
const words = (id: string): string => unmarked(wordsOf(operationIn(page, id)));

test("the page shows all operations of the document", () => {
  const written = Object.values(description.paths).flatMap((methods) => Object.values(methods));
  expect(written).toHaveLength(16);
  expect(page.match(/<section class="operation"/g)).toHaveLength(16);
});

test.each(operations)("$id has its summary, address and parameters", (operation) => {
  const said = words(operation.id);
  expect(said).toContain(operation.summary);
  expect(said).toContain(`${operation.method} ${operation.path}`);
  for (const paragraph of operation.description.split("\n\n")) {
    expect(said).toContain(unmarked(paragraph));
  }
  for (const { name, description: about, required = false } of operation.parameters) {
    expect(said).toContain(unmarked(about));
    expect(operationIn(page, operation.id)).toContain(`<code class="name">${name}</code>`);
    if (required) expect(said).toMatch(new RegExp(`${name} integer \\(int64\\) required`));
  }
});

test.each(operations)(
  "$id shows every answer, with its headers, codes and an example",
  (operation) => {
    const html = operationIn(page, operation.id);
    const shown = html.match(/<details class="answer .*?<\/details>/gs) ?? [];
    expect(shown.map((answer) => Number(/<b>(\d+)<\/b>/.exec(answer)?.[1]))).toEqual(
      operation.answers.map(({ status }) => status),
    );
    for (const [index, { status, codes, headers }] of operation.answers.entries()) {
      const answer = shown[index] ?? "";
      const own = headers.filter(([name]) => !reference.commonHeaders.includes(name));
      for (const [name] of own) expect(answer).toContain(`"#header-${name.toLowerCase()}"`);
      expect(answer).toContain('<a href="#headers">those of every response</a>');
      for (const code of codes) expect(answer).toContain(`href="/help/errors#${code}"`);
      if (status >= 400) expect(wordsOf(answer)).toContain(`"code" : "${codes[0]}"`);
    }
    expect(operation.answers.some(({ codes }) => codes.length > 0)).toBe(true);
  },
);

test("the headers of every response are named once", () => {
  expect(reference.commonHeaders).toEqual([
    ...["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
    ...["RateLimit", "RateLimit-Policy", "X-Request-Id"],
  ]);
  const section = page.slice(page.indexOf('<section id="headers">'));
  expect(wordsOf(section)).toContain(
    unmarked(`Every response has \`${reference.commonHeaders.join("` , `")}\` .`),
  );
});

test("only operations with a stability have its badge", () => {
  const badges = Object.fromEntries(
    operations.map(({ id }) => [
      id,
      Array.from(operationIn(page, id).matchAll(/class="badge[^>]*>(\w+)</g), ([, word]) => word),
    ]),
  );
  expect(badges["listOrders"]).toEqual(["experimental"]);
  expect(badges["restorePet"]).toEqual(["beta"]);
  expect(badges["getPet"]).toEqual(["Deprecated"]);
  expect(badges["listPets"]).toEqual([]);
  for (const { id, stability } of operations) {
    if (stability !== undefined) expect(badges[id]).toContain(stability);
  }
});

test("a deprecated operation shows its removal date", () => {
  expect(words("getPet")).toContain("Deprecated, to be removed on 5 December 2030");
  expect(operationIn(page, "getPet")).toContain(
    '<time datetime="2030-12-05">5 December 2030</time>',
  );
});

test("an operation with a hidden panel is still documented", () => {
  const orders = operationIn(page, "listOrders");
  expect(orders).not.toMatch(/try it|<form|<button type="submit"/i);
  expect(words("listOrders")).toContain("GET /store/orders");
  expect(page.match(/<details class="try"/g)).toHaveLength(15);
});

test("a panel has a field for each parameter and the body", () => {
  for (const { id, parameters, body, tryable } of operations.filter((one) => one.tryable)) {
    const html = operationIn(page, id);
    for (const { name, in: where } of parameters) {
      expect(html).toContain(`data-in="${where}" name="${name}" id="${id}-${name}"`);
    }
    expect([id, tryable, html.includes("<textarea")]).toEqual([id, true, body !== undefined]);
  }
});

test("the navigation has the document's groups in order, with Store and Pets empty", () => {
  const contents = page.slice(page.indexOf('<nav id="contents"'), page.indexOf("</nav>"));
  const groups = contents.split('<div class="group">').slice(1);
  expect(groups.map((group) => /<p>([^<]*)<\/p>/.exec(group)?.[1])).toEqual([
    "Overview",
    "Store",
    "Pets",
    "API",
    "Details",
  ]);
  expect(groups.map((group) => group.match(/class="method/g)?.length ?? 0)).toEqual([
    0, 0, 0, 16, 0,
  ]);
  expect(wordsOf(groups[1] ?? "")).toContain("No operations");
  expect(page).toContain('<section class="group" id="group-store">');
  expect(page).toContain('<section class="group" id="group-pets">');
});

test("every schema is documented with its members and constraints", () => {
  for (const [name, { properties = {} }] of Object.entries(schemas)) {
    const start = page.indexOf(`id="schema-${name}"`);
    const shown = page.slice(start, page.indexOf("</section>", start));
    expect([name, start > 0]).toEqual([name, true]);
    for (const member of Object.keys(properties)) {
      expect(shown).toContain(`<code class="name">${member}</code>`);
    }
  }
  const pet = page.slice(page.indexOf('id="schema-NewPet"'));
  expect(wordsOf(pet)).toContain("1 to 120 characters");
  expect(wordsOf(pet)).toContain("no other members");
});

test("both environments and the OpenAPI document have this host's addresses", () => {
  const said = wordsOf(page);
  expect(said).toContain("Production https://pets.example.org/v1");
  expect(said).toContain("Staging https://staging.pets.example.org/v1");
  expect(page).toContain('href="https://pets.example.org/v1/openapi.json"');
});

test("a host without help links to the host with it", () => {
  const elsewhere = referencePage(reference, {
    ...place,
    help: "https://pets.example.org",
    dashboard: false,
  });
  expect(elsewhere).toContain('href="https://pets.example.org/help/errors#not_found"');
  expect(elsewhere).not.toMatch(/href="\/(?:help|")/);
});

test("ids are unique, and all anchors exist", () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const wanted = Array.from(page.matchAll(/(?:href|for)="#?([\w-]+)"/g), ([, id = ""]) => id);
  const anchors = wanted.filter((id) => !ids.includes(id) && page.includes(`"#${id}"`));
  expect(anchors).toEqual([]);
  const labels = Array.from(page.matchAll(/<label for="([^"]*)"/g), ([, id = ""]) => id);
  expect(labels.filter((id) => !ids.includes(id))).toEqual([]);
});

test("the page follows a strict policy and has no external resources", () => {
  expect(faultsOf(page)).toEqual([]);
});
