import { expect, test } from "bun:test";
import { openOffice, realProjects } from "../../helpers/management.ts";

const open = async () => {
  const office = await openOffice({ projects: realProjects });
  const path = `/manage/v1/accounts/${office.accountId}/projects`;
  const made = await office.as("staff").post<{ id: string; version: number }>(path, {
    name: "Sonnenhof",
    language: "de",
  });
  expect(made.status).toBe(201);
  expect(made.body).not.toHaveProperty("site");
  return { office, path: `/manage/v1/projects/${made.body.id}`, version: made.body.version };
};

test("a new site has the language it was created with and the defaults of that language", async () => {
  const { office, path } = await open();
  const found = await office.as("viewer").get(`${path}/site`);
  expect(found.body).toEqual({
    settings: { language: "de" },
    shown: { language: "de", title: "Sonnenhof", heading: "Zuhause gesucht" },
    deployWins: [],
    storefront: true,
    version: 1,
  });
});

test("a change keeps other settings, null removes one, and the same again changes nothing", async () => {
  const { office, path } = await open();
  const staff = office.as("staff");
  const first = { title: "Tierheim", phone: "+49 30 5550100", accent: "#1F6FEB" };
  expect((await staff.patch(`${path}/site`, first)).body).toMatchObject({
    settings: { ...first, language: "de", accent: "#1f6feb" },
    version: 2,
  });
  const second = { title: null, donate: "https://example.org/spenden" };
  const changed = await staff.patch(`${path}/site`, second);
  expect(changed.body).toMatchObject({
    settings: { language: "de", phone: first.phone, accent: "#1f6feb", donate: second.donate },
    shown: { title: "Sonnenhof" },
    version: 3,
  });
  expect((await staff.patch(`${path}/site`, second)).body).toEqual(changed.body);
  // The accent is that of the theme.
  expect((await staff.get(path)).body).toMatchObject({ theme: { accent: "#1f6feb" } });
});

test("a faulty setting is refused with its name, and nothing is changed", async () => {
  const { office, path } = await open();
  const staff = office.as("staff");
  const refused = await staff.patch(`${path}/site`, { title: "T", visit: "javascript:alert(1)" });
  expect(refused.body).toMatchObject({
    code: "invalid_value",
    errors: [{ pointer: "/visit", code: "invalid_value" }],
  });
  expect((await staff.get(`${path}/site`)).body).toMatchObject({ settings: { language: "de" } });
  expect((await office.as("viewer").patch(`${path}/site`, { title: "T" })).status).toBe(403);
});

test("the starter decides no setting", async () => {
  const { office, path } = await open();
  const staff = office.as("staff");
  expect((await staff.post(`${path}/deploys`, { source: "starter" })).status).toBe(201);
  await staff.patch(`${path}/site`, { title: "Tierheim" });
  expect((await staff.get(`${path}/site`)).body).toMatchObject({
    shown: { title: "Tierheim" },
    deployWins: [],
  });
});

test("the sites that show animals are listed with what visitors see there", async () => {
  const { office, path } = await open();
  const staff = office.as("staff");
  const list = `/manage/v1/accounts/${office.accountId}/storefronts`;
  expect((await staff.get(list)).body).toEqual([]);
  await staff.post(`${path}/deploys`, { source: "starter" });
  await staff.patch(path, { filter: { statuses: ["pending", "available"] } });
  const { id, url } = (await staff.get<{ id: string; url: string }>(path)).body;
  const statuses = ["available", "pending"];
  const shown = { project: id, name: "Sonnenhof", url, categoryIds: [], statuses };
  expect((await office.as("viewer").get(list)).body).toEqual([shown]);
  await office.as("owner").delete(path);
  expect((await staff.get(list)).body).toEqual([]);
});
