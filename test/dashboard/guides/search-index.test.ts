import { expect, test } from "bun:test";

import { bundled } from "../../../dashboard/guides/bundled.ts";
import { createSearch } from "../../../dashboard/guides/search/engine.ts";
import type { Entry } from "../../../dashboard/guides/search/entry.ts";
import { createGuides } from "../../../dashboard/guides/serve.ts";
import type { GuideHost } from "../../../dashboard/guides/guides.ts";
import { management, managementDescription, reference } from "../../helpers/reference.ts";

const site = createGuides(
  async () => bundled,
  async () => managementDescription,
);
const host: GuideHost = {
  origin: "https://pets.example.org",
  production: "https://pets.example.org/v1",
  staging: "https://staging.pets.example.org/v1",
  help: "",
  dashboard: true,
};

async function read(path: string): Promise<Response> {
  const kind = path.startsWith("/docs") ? "reference" : "help";
  return site[kind](new Request(host.origin + path), path, host);
}

async function entriesAt(path: string): Promise<readonly Entry[]> {
  return (await (await read(path)).json()) as readonly Entry[];
}

const docs = await entriesAt("/docs/search.json");
const english = await entriesAt("/help/search.json");
const german = await entriesAt("/help/de/search.json");

const searches = new Map([docs, english, german].map((all) => [all, createSearch(all)] as const));

test("every operation, schema, header, parameter and error code of both APIs is in the index", () => {
  const titles = (kind: string): ReadonlySet<string> =>
    new Set(docs.filter((one) => one[0] === kind).map(([, title]) => title));
  const paths = new Set(docs.map((one) => one[2]));
  for (const { api, operations, schemas, description } of [reference, management]) {
    const has = (kind: string, names: readonly string[]): void => {
      expect(names.filter((name) => !titles(kind).has(name))).toEqual([]);
    };
    has(
      "operation",
      operations.map(({ summary }) => summary),
    );
    has("schema", Object.keys(schemas));
    has("header", Object.keys(description.components.headers));
    has(
      "parameter",
      operations.flatMap(({ parameters }) => parameters.map(({ name }) => name)),
    );
    has(
      "error",
      operations.flatMap(({ answers }) => answers.flatMap(({ codes }) => codes)),
    );
    for (const { id } of operations) {
      const found = [...paths].filter((path) => path.endsWith(`#${id}`));
      expect([id, found.some((path) => path.startsWith(api.page))]).toEqual([id, true]);
    }
  }
});

test.each([
  ["/docs/search.json", docs],
  ["/help/search.json", english],
  ["/help/de/search.json", german],
])("every address in %s exists, with its anchor", async (_, entries) => {
  const pages = new Map<string, string>();
  const lost: string[] = [];
  for (const [, , path] of entries) {
    const [page = "", id] = path.split("#", 2);
    if (!pages.has(page)) pages.set(page, await (await read(page)).text());
    const html = pages.get(page) ?? "";
    const there = id === undefined ? html.includes("<h1>") : html.includes(` id="${id}"`);
    if (!there) lost.push(path);
  }
  expect(lost).toEqual([]);
  expect(new Set(entries.map((one) => one[2] + one[1])).size).toBe(entries.length);
});

test.each([
  ["/docs", docs, "list animals", "/docs#listPets"],
  ["/docs", docs, "getPet", "/docs#getPet"],
  ["/docs", docs, "/manage/v1/accounts/{account}/keys", "/docs/management/keys#listKeys"],
  ["/docs", docs, "rotate key", "/docs/management/keys#rotateKey"],
  ["/docs", docs, "Idempotency-Key", "/docs#createPet"],
  ["/docs", docs, "quota_exceeded", "/docs#error-quota_exceeded"],
  ["/docs", docs, "insufficient_role", "/docs/management#error-insufficient_role"],
  ["/docs", docs, "retry after", "/docs#header-retry-after"],
  ["/docs", docs, "NewPet", "/docs#schema-NewPet"],
  ["/docs", docs, "categroies", "/docs#listCategories"],
  ["/help", english, "smtp-url", "/help/mail#set-it-up"],
  ["/help", english, "no_record", "/help/findings#no_record"],
  ["/help", english, "bans", "/help/limits#bans"],
  ["/help/de", german, "Anfragen", "/help/de/dashboard#enquiries"],
  ["/help/de", german, "passkey", "/help/de/errors#invalid_passkey"],
  ["/help/de", german, "schluessel und nutzung", "/help/de/dashboard#keys-and-usage"],
  ["/help/de", german, "Vermitlung", "/help/de/dashboard#adoptions"],
  ["/help/de", german, "no_record", "/help/de/findings#no_record"],
  // Pages that exist only in English are found too.
  ["/help/de", german, "bans", "/help/limits#bans"],
])("in %s, a search (%#) finds the page", (_, entries, question, path) => {
  const found =
    searches
      .get(entries)?.(question)
      .map((hit) => hit.entry[2]) ?? [];
  expect(found.slice(0, 6)).toContain(path);
});
