import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, isoTime } from "../../../lib/base/clock.ts";
import type { Reply } from "../../helpers/api.ts";
import { openOffice, realProjects, START, type Office } from "../../helpers/management.ts";
import { must } from "../../helpers/outcome.ts";

interface View {
  readonly id: string;
  readonly slug: string;
  readonly url: string;
}

const open = (): Promise<Office> => openOffice({ projects: realProjects });

async function createProject(office: Office, body: object = { name: "Otters" }): Promise<View> {
  const path = `/manage/v1/accounts/${office.accountId}/projects`;
  const made = await office.as("staff").post<View>(path, body);
  expect(made.status).toBe(201);
  return made.body;
}

test("a new project has a random slug, and is found by id and slug", async () => {
  const office = await open();
  const path = `/manage/v1/accounts/${office.accountId}/projects`;
  const made = await office.as("staff").post<View>(path, { name: "Otters" });
  expect(made.body).toMatchObject({
    accountId: office.accountId,
    name: "Otters",
    filter: { categoryIds: [], statuses: ["available", "pending"] },
    theme: {},
    createdAt: isoTime(START),
    url: `https://${made.body.slug}.petstore.test`,
  });
  expect(made.body.slug).toMatch(/^[a-z]+-[a-z]+-[0-9a-f]{4}$/);
  expect(made.headers.get("location")).toEndWith(`/manage/v1/projects/${made.body.id}`);
  for (const name of [made.body.id, made.body.slug]) {
    const found = await office.as("viewer").get<View>(`/manage/v1/projects/${name}`);
    expect(found.body).toEqual(made.body);
  }
});

test("a project is created with the given fields", async () => {
  const office = await open();
  const body = {
    name: "Otters",
    slug: "otters",
    filter: { categoryIds: [1], statuses: ["available"] },
    theme: { accent: "#1F6FEB", scheme: "dark" },
  };
  const theme = { accent: "#1f6feb", scheme: "dark" };
  expect(await createProject(office, body)).toMatchObject({ ...body, theme });
});

const wrong: readonly (readonly [body: object, code: string])[] = [
  [{}, "missing_field"],
  [{ name: "" }, "invalid_value"],
  [{ name: "A", slug: "www" }, "invalid_value"],
  [{ name: "A", slug: "A b" }, "invalid_value"],
  [{ name: "A", theme: { accent: "red" } }, "invalid_value"],
  [{ name: "A", theme: { color: "#000000" } }, "unknown_field"],
  [{ name: "A", filter: { statuses: [] } }, "invalid_value"],
  [{ name: "A", filter: { categoryIds: [99] } }, "unknown_category"],
];
for (const [body, code] of wrong) {
  test(`creating a project from ${JSON.stringify(body)} is refused: ${code}`, async () => {
    const office = await open();
    const path = `/manage/v1/accounts/${office.accountId}/projects`;
    const reply = await office.as("staff").post(path, body);
    expect([reply.status, reply.body]).toMatchObject([400, { code }]);
  });
}

test("a project has the addresses of its previews if the host serves them", async () => {
  const showing = await openOffice({ projects: realProjects, previews: true });
  expect(await createProject(showing, { name: "A", slug: "otters" })).toHaveProperty(
    "previewUrl",
    "https://{deploy}--otters.petstore.test",
  );
  expect(await createProject(await open())).not.toHaveProperty("previewUrl");
});

test("two projects cannot have the same slug", async () => {
  const office = await open();
  await createProject(office, { name: "A", slug: "otters" });
  const path = `/manage/v1/accounts/${office.accountId}/projects`;
  const reply = await office.as("staff").post(path, { name: "B", slug: "otters" });
  expect([reply.status, reply.body]).toMatchObject([409, { code: "slug_taken" }]);
});

test("an update keeps other fields, and the old slug still finds the project", async () => {
  const office = await open();
  const { id } = await createProject(office, {
    name: "A",
    slug: "otters",
    theme: { accent: "#112233" },
  });
  const patched = await office.as("staff").patch(`/manage/v1/projects/otters`, {
    slug: "beavers",
    filter: { statuses: ["sold"] },
  });
  expect(patched.body).toMatchObject({
    id,
    slug: "beavers",
    url: "https://beavers.petstore.test",
    name: "A",
    theme: { accent: "#112233" },
    filter: { categoryIds: [], statuses: ["sold"] },
  });
  const byOld = await office.as("viewer").get(`/manage/v1/projects/otters`);
  expect(byOld.body).toMatchObject({ id, slug: "beavers" });
});

test("a theme is replaced as a whole, so that it can be removed", async () => {
  const office = await open();
  const { id } = await createProject(office, { name: "A", theme: { accent: "#112233" } });
  const patched = await office.as("staff").patch(`/manage/v1/projects/${id}`, { theme: {} });
  expect(patched.body).toMatchObject({ theme: {} });
  expect(patched.text).not.toContain("112233");
});

test("a deleted project has its restoration deadline, and can be restored", async () => {
  const office = await open();
  const { id } = await createProject(office);
  const deleted = await office.as("owner").delete(`/manage/v1/projects/${id}`);
  const deletedView = { id, deletedAt: isoTime(START), restorableUntil: isoTime(START + DAY_MS) };
  expect([deleted.status, deleted.body]).toMatchObject([200, deletedView]);
  expect((await office.as("viewer").get(`/manage/v1/projects/${id}`)).body).toMatchObject(
    deletedView,
  );
  office.clock.advance(23 * HOUR_MS);
  const restored = await office.as("owner").post(`/manage/v1/projects/${id}/restore`);
  expect(restored.status).toBe(200);
  expect(restored.body).not.toHaveProperty("deletedAt");
  expect(restored.body).not.toHaveProperty("restorableUntil");
});

test("a deleted project disappears after a day", async () => {
  const office = await open();
  const { id } = await createProject(office);
  await office.as("owner").delete(`/manage/v1/projects/${id}`);
  office.clock.advance(DAY_MS);
  expect((await office.as("owner").get(`/manage/v1/projects/${id}`)).status).toBe(404);
  expect((await office.as("owner").post(`/manage/v1/projects/${id}/restore`)).status).toBe(404);
});

test("viewers cannot change projects, and staff cannot delete them", async () => {
  const office = await open();
  const { id } = await createProject(office);
  const path = `/manage/v1/projects/${id}`;
  expect((await office.as("viewer").patch(path, { name: "B" })).status).toBe(403);
  expect((await office.as("staff").delete(path)).status).toBe(403);
  expect((await office.as("staff").patch(path, { name: "B" })).status).toBe(200);
});

test("pages of projects are newest first and contain each project once", async () => {
  const office = await open();
  const made: string[] = [];
  for (let count = 0; count < 5; count++) {
    office.clock.advance(1_000);
    made.push((await createProject(office)).id);
  }
  for (const start of ["/manage/v1/projects", `/manage/v1/accounts/${office.accountId}/projects`]) {
    const seen: string[] = [];
    let path: string | undefined = `${start}?limit=2`;
    while (path !== undefined && seen.length < 10) {
      const page: Reply<readonly View[]> = await office.as("viewer").get(path);
      seen.push(...page.body.map(({ id }) => id));
      path = /^<http:\/\/petstore\.test(.*)>; rel="next"$/.exec(
        page.headers.get("link") ?? "",
      )?.[1];
    }
    expect(seen).toEqual(made.toReversed());
  }
});

test("members list their account's projects, and operators list all", async () => {
  const office = await open();
  const other = must(await office.petstore.client.accounts.create({ name: "Beavers" }));
  const mine = await createProject(office);
  const path = `/manage/v1/accounts/${other.id}/projects`;
  const theirs = await office.as("owner", other.id).post<View>(path, { name: "B" });
  const listed = async (as: ReturnType<Office["as"]>): Promise<readonly string[]> => {
    const { body } = await as.get<readonly View[]>("/manage/v1/projects");
    return body.map(({ id }) => id).toSorted();
  };
  expect(await listed(office.as("viewer"))).toEqual([mine.id]);
  expect(await listed(office.as("operator"))).toEqual([mine.id, theirs.body.id].toSorted());
  expect((await office.as("owner", other.id).get(`/manage/v1/projects/${mine.id}`)).status).toBe(
    404,
  );
});
