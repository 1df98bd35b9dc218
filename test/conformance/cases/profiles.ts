import { expect } from "bun:test";

import type { Api, Reply } from "../../helpers/api.ts";
import { inAccount, type Case } from "../case.ts";
import { addPet, expectProblem } from "../expect.ts";

const AT = "/v1/pets/1/profile";
const BELLA = {
  sex: "female",
  neutered: true,
  birth: { date: "2024-03-01", precision: "month" },
  breed: { text: "Border Collie", mixed: true },
  colour: "black",
  size: "medium",
  goodWith: { children: "yes", dogs: "yes", cats: "no" },
  specialNeeds: "Eye drops",
  fee: "€ 250",
  text: "# Bella\n\nLikes *long* walks.",
  externalId: "A-1",
  source: "asm3",
  intakeAt: "2026-01-02T03:04:05.000Z",
} as const;

const put = (
  api: Api,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply<unknown>> =>
  api.raw("PUT", path, {
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

const etagOf = ({ headers }: Reply<unknown>): string => headers.get("etag") ?? "";

/** Adds animals with profiles, as the pets 1, 2, … */
async function addProfiles(api: Api, profiles: readonly unknown[]): Promise<void> {
  for (const [index, profile] of profiles.entries()) {
    await addPet(api);
    await put(api, `/v1/pets/${index + 1}/profile`, profile);
  }
}

const idsIn = async (api: Api, query: string): Promise<readonly number[]> => {
  const { body } = await api.get<readonly { readonly id: number }[]>(`/v1/pets?${query}`);
  return body.map(({ id }) => id);
};

export const profiles: readonly Case[] = [
  {
    id: "profiles.members",
    source: "contract: pets",
    sentence: "a profile keeps its members, and those that are not known are absent",
    both: true,
    run: inAccount(async ({ api }) => {
      await addPet(api);
      const empty = await api.get(AT);
      expect([empty.status, empty.body]).toEqual([200, {}]);
      const replaced = await put(api, AT, BELLA);
      expect([replaced.status, replaced.body]).toEqual([200, BELLA]);
      expect((await api.get(AT)).body).toEqual(BELLA);
      expect((await put(api, AT, { colour: "red" })).body).toEqual({ colour: "red" });
    }),
  },
  {
    id: "profiles.change",
    source: "contract: pets",
    sentence:
      "PATCH of a profile changes the members that are sent, also those of breed and goodWith, and null removes one",
    both: true,
    run: inAccount(async ({ api }) => {
      await addPet(api);
      await put(api, AT, BELLA);
      const change = {
        sex: null,
        birth: { date: "2020-05-17" },
        breed: { mixed: null },
        goodWith: { cats: "unknown", dogs: null },
        intakeAt: "2026-01-02",
      };
      const { sex: _sex, ...rest } = BELLA;
      const expected = {
        ...rest,
        birth: { date: "2020-05-17", precision: "day" },
        breed: { text: "Border Collie" },
        goodWith: { children: "yes", cats: "unknown" },
        intakeAt: "2026-01-02T00:00:00.000Z",
      };
      expect((await api.patch(AT, change)).body).toEqual(expected);
      const less = { breed: { text: null }, goodWith: null, birth: null };
      const { breed: _breed, goodWith: _goodWith, birth: _birth, ...left } = expected;
      expect((await api.patch(AT, less)).body).toEqual(left);
    }),
  },
  {
    id: "profiles.normal",
    source: "contract: pets",
    sentence:
      "texts of a profile are trimmed and in NFC, with line feeds, and dates have only what is known",
    both: true,
    run: inAccount(async ({ api }) => {
      await addPet(api);
      const sent = {
        colour: " bla\u0308u ",
        text: " a\r\nb\rc\n",
        birth: { date: "2020-05-17", precision: "year" },
      };
      expect((await put(api, AT, sent)).body).toEqual({
        birth: { date: "2020-01-01", precision: "year" },
        colour: "bl\u00e4u",
        text: "a\nb\nc",
      });
    }),
  },
  {
    id: "profiles.bounds",
    source: "contract: pets",
    sentence: "a profile refuses values that are empty, unknown, too long or in the future",
    both: true,
    run: inAccount(async ({ api }) => {
      await addPet(api);
      for (const wrong of [
        { sex: "f" },
        { sex: "" },
        { neutered: "yes" },
        { birth: { date: "2024-02-30" } },
        { birth: { date: "2024-2-3" } },
        { birth: { date: "2999-01-01" } },
        { birth: { date: "2020-01-01", precision: "hour" } },
        { breed: { text: "" } },
        { breed: "Pug" },
        { colour: " " },
        { colour: "x".repeat(121) },
        { colour: "a\nb" },
        { size: "huge" },
        { goodWith: { dogs: true } },
        { text: "x".repeat(32 * 1024 + 1) },
        { text: "€".repeat(11_000) },
        { text: "a\u0000b" },
        { text: "\ud800" },
        { externalId: "x".repeat(121) },
        { intakeAt: "yesterday" },
        { intakeAt: "2026-13-01" },
        { intakeAt: "2999-01-01T00:00:00Z" },
      ]) {
        expectProblem(await put(api, AT, wrong), "invalid_value");
        expectProblem(await api.patch(AT, wrong), "invalid_value");
      }
      for (const unknown of [{ photos: [] }, { goodWith: { birds: "yes" } }, { version: 1 }]) {
        expectProblem(await put(api, AT, unknown), "unknown_field");
      }
      expectProblem(await put(api, AT, { birth: {} }), "missing_field");
      expectProblem(await put(api, AT, { sex: null }), "invalid_value");
      expect((await api.get(AT)).body).toEqual({});
      const longest = { text: "x".repeat(32 * 1024), specialNeeds: "y".repeat(2 * 1024) };
      expect((await put(api, AT, longest)).body).toEqual({ ...longest });
    }),
  },
  {
    id: "profiles.staff",
    source: "contract: pets",
    sentence: "what only staff may see is not known to the public API",
    run: inAccount(async ({ api }) => {
      await addPet(api);
      for (const staff of [{ staffNotes: "Bites" }, { microchip: "276" }]) {
        expectProblem(await put(api, AT, staff), "unknown_field");
        expectProblem(await api.patch(AT, staff), "unknown_field");
      }
    }),
  },
  {
    id: "profiles.external-id",
    source: "contract: pets",
    sentence: "two animals cannot have the same externalId and source",
    both: true,
    run: inAccount(async ({ api }) => {
      await addProfiles(api, [{ externalId: "A-1", source: "asm3" }, {}]);
      const other = "/v1/pets/2/profile";
      expectProblem(await put(api, other, { externalId: "A-1", source: "asm3" }), "invalid_value");
      expect((await put(api, other, { externalId: "A-1" })).status).toBe(200);
      expectProblem(await api.patch(other, { source: "asm3" }), "invalid_value");
      await api.delete("/v1/pets/1");
      expect((await api.patch(other, { source: "asm3" })).status).toBe(200);
    }),
  },
  {
    id: "profiles.missing",
    source: "contract: ids",
    sentence: "an animal that does not exist, or is deleted, has no profile: 404",
    both: true,
    run: inAccount(async ({ api }) => {
      await addProfiles(api, [{ sex: "male" }]);
      for (const id of ["9", "0", "01", "abc"]) {
        const path = `/v1/pets/${id}/profile`;
        expectProblem(await api.get(path), "not_found");
        expectProblem(await put(api, path, {}), "not_found");
        expectProblem(await api.patch(path, {}), "not_found");
      }
      await api.delete("/v1/pets/1");
      expectProblem(await api.get(AT), "not_found");
      await api.post("/v1/pets/1/restore");
      expect((await api.get(AT)).body).toEqual({ sex: "male" });
    }),
  },
  {
    id: "profiles.etag",
    source: "contract: etags",
    sentence: "a profile has its own ETag, and its changes leave that of the animal",
    both: true,
    run: inAccount(async ({ api }) => {
      const pet = etagOf(await api.post("/v1/pets", { name: "Rex", categoryId: 1 }));
      const first = etagOf(await api.get(AT));
      const match = (etag: string) => ({ headers: { "if-match": etag } });
      expectProblem(await api.patch(AT, { sex: "male" }, match(pet)), "precondition_failed");
      const changed = await api.patch(AT, { sex: "male" }, match(first));
      const second = etagOf(changed);
      expect([changed.status, second]).not.toEqual([200, first]);
      for (const write of [
        api.patch(AT, { sex: "female" }, match(first)),
        put(api, AT, { sex: "female" }, { "if-match": first }),
      ]) {
        expectProblem(await write, "precondition_failed");
      }
      expect(etagOf(await api.get(AT))).toBe(second);
      const same = await api.patch(AT, { sex: "male" });
      expect(etagOf(same)).toBe(second);
      expect(etagOf(await api.get("/v1/pets/1"))).toBe(pet);
      expect((await api.patch("/v1/pets/1", { name: "Bello" }, match(pet))).status).toBe(200);
      expect((await put(api, AT, {}, { "if-match": second })).status).toBe(200);
    }),
  },
  {
    id: "profiles.retry",
    source: "contract: retries",
    sentence:
      "PUT and PATCH of a profile can be retried, and another body under the same key is 422",
    run: inAccount(async ({ api }) => {
      await addPet(api);
      const key = { "idempotency-key": "k" };
      const first = await put(api, AT, { sex: "male" }, key);
      await put(api, AT, { sex: "female" });
      const again = await put(api, AT, { sex: "male" }, key);
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect((await api.get(AT)).body).toEqual({ sex: "female" });
      expectProblem(await put(api, AT, { sex: "unknown" }, key), "idempotency_key_reused");
      const headers = { "idempotency-key": "p" };
      expect((await api.patch(AT, { sex: "male" }, { headers })).status).toBe(200);
      const other = await api.patch(AT, { sex: "unknown" }, { headers });
      expectProblem(other, "idempotency_key_reused");
    }),
  },
  {
    id: "profiles.include",
    source: "contract: lists",
    sentence:
      "include=profile adds the profile to each animal of a list, and without it nothing changes",
    both: true,
    run: inAccount(async ({ api }) => {
      await addProfiles(api, [BELLA]);
      await addPet(api, { name: "Rex" });
      const plain = await api.get<readonly object[]>("/v1/pets");
      expect(plain.text).not.toContain("profile");
      const full = await api.get<readonly object[]>("/v1/pets?include=profile");
      const profileOf = new Map([[1, BELLA]]);
      expect(full.body).toEqual(
        plain.body.map((pet) => ({
          ...pet,
          profile: profileOf.get(Number(Reflect.get(pet, "id"))) ?? {},
        })),
      );
      await api.patch(AT, { colour: "white" });
      expect((await api.get("/v1/pets")).text).toBe(plain.text);
      expect((await api.get("/v1/pets?include=profile")).text).toContain('"colour":"white"');
      expectProblem(await api.get("/v1/pets?include=photos"), "invalid_parameter");
      expectProblem(await api.get("/v1/pets?include="), "invalid_parameter");
    }),
  },
  {
    id: "profiles.include-one",
    source: "contract: etags",
    sentence: "a list of a single animal with its profile has another ETag than the animal",
    run: inAccount(async ({ api }) => {
      await addProfiles(api, [BELLA]);
      const full = await api.get("/v1/pets?id=1&include=profile");
      const headers = { "if-match": etagOf(full) };
      expectProblem(
        await api.patch("/v1/pets/1", { name: "x" }, { headers }),
        "precondition_failed",
      );
      expect(etagOf(await api.get("/v1/pets?id=1"))).not.toBe(etagOf(full));
      expectProblem(await api.get("/v1/pets/1?include=profile"), "unknown_parameter");
    }),
  },
  {
    id: "profiles.filters",
    source: "contract: lists",
    sentence: "sex, size, goodWith and q filter a list with profiles, and need include=profile",
    both: true,
    run: inAccount(async ({ api }) => {
      await addProfiles(api, [
        BELLA,
        {
          sex: "male",
          size: "medium",
          goodWith: { dogs: "yes", cats: "unknown" },
          breed: { text: "Perro de água" },
        },
        { sex: "female", size: "extra_large", goodWith: { cats: "yes" } },
        {},
      ]);
      await api.patch("/v1/pets/3", { name: "Zoë & Co", status: "pending" });
      const found = async (query: string): Promise<readonly number[]> =>
        [...(await idsIn(api, `include=profile&${query}`))].toSorted((a, b) => a - b);
      expect(await found("sex=female")).toEqual([1, 3]);
      expect(await found("sex=unknown")).toEqual([]);
      expect(await found("size=medium")).toEqual([1, 2]);
      expect(await found("size=medium&sex=male")).toEqual([2]);
      expect(await found("goodWith=dogs")).toEqual([1, 2]);
      expect(await found("goodWith=dogs,children")).toEqual([1]);
      expect(await found("sex=female&status=pending&categoryId=1")).toEqual([3]);
      expect(await found("id=1,2&sex=female")).toEqual([1]);
      expect(await found("q=AGUA")).toEqual([2]);
      expect(await found("q=collie")).toEqual([1]);
      expect(await found("q=zoe%20%26")).toEqual([3]);
      expect(await found("q=zoe&sex=male")).toEqual([]);
      for (const query of [
        "sex=female",
        "size=small",
        "goodWith=cats",
        "ageMin=1",
        "ageMax=1",
        "q=x",
      ]) {
        expectProblem(await api.get(`/v1/pets?${query}`), "invalid_parameter");
      }
      for (const query of [
        "sex=f",
        "goodWith=birds",
        "ageMin=-1",
        "ageMax=201",
        "q=",
        `q=${"x".repeat(121)}`,
      ]) {
        expectProblem(await api.get(`/v1/pets?include=profile&${query}`), "invalid_parameter");
      }
    }),
  },
  {
    id: "profiles.pages",
    source: "contract: cursors",
    sentence: "pages with profiles follow each other, and a cursor is bound to their filters",
    run: inAccount(async ({ api }) => {
      const of = (index: number) => ({
        sex: index % 2 === 0 ? "female" : "male",
        colour: `no. ${index}`,
      });
      await addProfiles(
        api,
        Array.from({ length: 7 }, (_, index) => of(index)),
      );
      const query = "include=profile&sex=female&q=e%26&limit=2&count=true";
      for (const name of ["A", "B", "C", "D", "E", "F", "G"].keys()) {
        await api.patch(`/v1/pets/${name + 1}`, { name: `Re& ${name}` });
      }
      let address: string | undefined = `/v1/pets?${query}`;
      const seen: unknown[] = [];
      while (address !== undefined) {
        const page: Reply<readonly { id: number; profile: { colour: string } }[]> =
          await api.get(address);
        expect(page.headers.get("x-total-count")).toBe("4");
        seen.push(...page.body.map(({ id, profile: { colour } }) => [id, colour]));
        const [, next] = /<([^>]*)>; rel="next"/.exec(page.headers.get("link") ?? "") ?? [];
        address = next === undefined ? undefined : next.slice(next.indexOf("/v1/"));
        if (address !== undefined) {
          expectProblem(await api.get(address.replace("sex=female", "sex=male")), "invalid_cursor");
          expectProblem(await api.get(address.replace("q=e%26", "q=e")), "invalid_cursor");
        }
      }
      expect(seen).toEqual([7, 5, 3, 1].map((id) => [id, `no. ${id - 1}`]));
    }),
  },
  {
    id: "profiles.age",
    source: "contract: lists",
    sentence:
      "ageMin and ageMax compare full years on the day of the request, not on that of a kept response",
    needs: "clock",
    run: inAccount(async ({ api }, env) => {
      const DAY = 86_400_000;
      const bornAgo = (days: number) => ({
        birth: { date: new Date(env.inside.clock.now() - days * DAY).toISOString().slice(0, 10) },
      });
      await addProfiles(api, [bornAgo(0), bornAgo(364), bornAgo(3 * 366), {}]);
      const found = (query: string): Promise<readonly number[]> =>
        idsIn(api, `include=profile&sort=id&${query}`);
      expect(await found("ageMax=0")).toEqual([1, 2]);
      expect(await found("ageMin=1")).toEqual([3]);
      expect(await found("ageMin=1&ageMax=2")).toEqual([]);
      expect(await found("ageMin=3&ageMax=3")).toEqual([3]);
      const before = await api.get("/v1/pets?include=profile&ageMax=0");
      await env.inside.pass(2 * DAY);
      const headers = { "if-none-match": etagOf(before) };
      const after = await api.get<readonly { id: number }[]>("/v1/pets?include=profile&ageMax=0", {
        headers,
      });
      expect([after.status, after.body.map(({ id }) => id)]).toEqual([200, [1]]);
    }),
  },
];
