import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";

import type { HandedOut } from "../fixtures/handed-out.ts";
import { api, type Api } from "../helpers/api.ts";
import { BASE, openOffice, realProjects, type Office } from "../helpers/management.ts";
import { scratch } from "../helpers/sqlite.ts";

const file = scratch();

/** The versions whose clients keep what they were handed out. */
const FOLDER = join(import.meta.dir, "../fixtures/handed-out");
const versions = [...new Glob("*.json").scanSync(FOLDER)].map((path) => path.replace(".json", ""));

/** Opens the database of a version with this one, at the time when it was written. */
async function upgraded(version: string): Promise<{ office: Office; kept: HandedOut; pets: Api }> {
  const path = file();
  const packed = await Bun.file(join(FOLDER, `${version}.db.gz`)).bytes();
  await Bun.write(path, Bun.gunzipSync(packed));
  const kept: HandedOut = await Bun.file(join(FOLDER, `${version}.json`)).json();
  const office = await openOffice({ path, projects: realProjects });
  const { petstore } = office;
  const pets = api({ fetch: (request) => petstore.fetch(request), base: BASE, key: kept.key });
  return { office, kept, pets };
}

test("the last landed version is among them", () => {
  expect(versions.toSorted()).toEqual(["11bc4758", "b97fd5d"]);
});

describe.each(versions)("what %s has handed out is accepted", (version) => {
  test("every cursor of the public API, but not for another list", async () => {
    const { kept, pets } = await upgraded(version);
    expect(kept.pages.length).toBeGreaterThan(10);
    for (const { path, ids } of kept.pages) {
      const { body } = await pets.get<readonly { readonly id: number }[]>(path);
      expect([path, body.map(({ id }) => id)]).toEqual([path, ids.map(Number)]);
    }
    const [newestFirst] = kept.pages;
    const other = await pets.get<{ readonly code: string }>(`${newestFirst?.path}&sort=id`);
    expect([other.status, other.body.code]).toEqual([400, "invalid_cursor"]);
  });

  test("an ETag, and an idempotency key", async () => {
    const { kept, pets } = await upgraded(version);
    const { path, value } = kept.etag;
    expect((await pets.get(path, { headers: { "if-none-match": value } })).status).toBe(304);
    const headers = { "idempotency-key": kept.idempotent.key };
    const again = await pets.post("/v1/pets", kept.idempotent.body, { headers });
    expect([again.status, again.text]).toEqual([kept.idempotent.status, kept.idempotent.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });
});

const managing = versions.filter((version) => version !== "b97fd5d");

describe.each(managing)("what the management API of %s has handed out is accepted", (version) => {
  const asked = (office: Office, token: string | undefined): Api =>
    api({ fetch: (request) => office.ask(request), base: BASE, key: token ?? "" });

  test("tokens, the links between pages, and a position in the events", async () => {
    const { office, kept } = await upgraded(version);
    expect((await asked(office, kept.tokens?.operator).get("/manage/v1/accounts")).status).toBe(
      200,
    );
    const owner = asked(office, kept.tokens?.owner);
    for (const { path, ids } of kept.managed ?? []) {
      const { body } = await owner.get<readonly { readonly seq: number }[]>(path);
      expect(body.map(({ seq }) => seq)).toEqual(ids.map(Number));
    }
  });

  test("a session", async () => {
    const { office, kept } = await upgraded(version);
    const browser = office.browser();
    browser.plant(kept.session);
    expect((await browser.api.get("/manage/v1/me")).status).toBe(200);
  });

  test("a link to choose a password, and a setup link", async () => {
    const { office, kept } = await upgraded(version);
    const password = "nine calm otters float";
    const follow = async (path: string, body: object): Promise<number> =>
      (await office.browser().api.post(`/manage/v1/${path}`, body)).status;
    expect(await follow("reset", { token: kept.passwordToken, password })).toBe(201);
    const member = { token: kept.setupToken, email: "me@example.org", password };
    expect(await follow("setup/member", member)).toBe(201);
  });
});
