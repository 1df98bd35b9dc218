import { expect, test } from "bun:test";

import {
  managementPage,
  messagesPage,
  messagesPath,
  sectionsOf,
  tagPage,
  tagPath,
} from "../../../dashboard/reference/view/management.ts";
import { referencePage } from "../../../dashboard/reference/view/page.ts";
import { eventTypes } from "../../../lib/model/event-types.ts";
import { everyEndpoint } from "../../helpers/every-endpoint.ts";
import {
  faultsOf,
  management,
  operationIn,
  place,
  reference,
  unmarked,
  wordsOf,
} from "../../helpers/reference.ts";

const home = managementPage(management, place);
const sections = sectionsOf(management);
const pages = new Map(
  sections.map((section) => [tagPath(section.name), tagPage(section, management, place)]),
);
const messages = messagesPage(management, place);
const all = [["/docs/management", home] as const, ...pages, [messagesPath, messages] as const];

test("every operation is on the page of its tag, and linked from the first page", () => {
  for (const { tag, operationId, method, path, summary } of everyEndpoint) {
    const html = operationIn(pages.get(tagPath(tag)) ?? "", operationId);
    const said = unmarked(wordsOf(html));
    expect(said).toContain(unmarked(summary));
    expect(said).toContain(`${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    expect(home).toContain(`href="${tagPath(tag)}#${operationId}"`);
  }
  const shown = [...pages.values()].join("").match(/<section class="operation"/g);
  expect(shown).toHaveLength(everyEndpoint.length);
});

test.each(all)("on %s, ids are unique and all anchors exist", (path, html) => {
  const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id = ""]) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const links = Array.from(html.matchAll(/ href="([^"]*)#([^"]*)"/g), ([, to = "", id = ""]) => {
    return [to === "" ? path : to, id] as const;
  });
  const lost = links.filter(([to, id]) => {
    const there = all.find(([page]) => page === to)?.[1];
    return to.startsWith("/docs/") && there?.includes(` id="${id}"`) !== true;
  });
  expect(lost).toEqual([]);
});

test.each(all)("%s follows a strict policy and has no external resources", (_, html) => {
  expect(faultsOf(html)).toEqual([]);
});

test("only operations that read can be tried, and with a token", () => {
  for (const { tag, operationId, method } of everyEndpoint) {
    const html = operationIn(pages.get(tagPath(tag)) ?? "", operationId);
    const tried = html.includes('<details class="try"');
    if (method !== "GET") expect([operationId, tried]).toEqual([operationId, false]);
  }
  const animals = pages.get("/docs/management/animals") ?? "";
  expect(operationIn(animals, "listAnimals")).toContain('<details class="try"');
  // Its response is a picture.
  expect(operationIn(animals, "getPhotoFile")).not.toContain('<details class="try"');
  expect(animals).toContain('placeholder="pet_manage_…"');
  expect(animals).toContain('data-server="https://pets.example.org/manage/v1"');
  // It has no environments to choose from.
  expect(animals.includes('type="radio" name="environment"')).toBe(false);
});

test("the page of webhook messages has each type of event, with its data and an example", () => {
  for (const type of [...eventTypes, "webhook.test"]) {
    expect([type, messages.includes(`">${type}</a></h3>`)]).toEqual([type, true]);
    expect(wordsOf(messages)).toContain(`"type" : "${type}"`);
  }
  for (const [, html] of all) expect(html).toContain(`href="${messagesPath}"`);
});

test("every error code of an operation links to its explanation", () => {
  for (const { id, answers } of management.operations) {
    const page = [...pages.values()].find((html) =>
      html.includes(`<section class="operation" id="${id}"`),
    );
    const html = operationIn(page ?? "", id);
    for (const code of answers.flatMap(({ codes }) => codes)) {
      expect([id, code, html.includes(`href="/help/errors#${code}"`)]).toEqual([id, code, true]);
    }
  }
});

test("both references lead to each other, on the base domain only", () => {
  const ofPublic = (dashboard: boolean): string =>
    referencePage(reference, { ...place, dashboard });
  expect(ofPublic(true)).toContain('<a href="/docs/management">Management</a>');
  expect(ofPublic(true)).toContain('<a href="/docs" aria-current="true">Public</a>');
  expect(ofPublic(false)).not.toContain("/docs/management");
  for (const [, html] of all) {
    expect(html).toContain('<a href="/docs">Public</a>');
    expect(html).toContain('<a href="/docs/management" aria-current="true">Management</a>');
  }
});
