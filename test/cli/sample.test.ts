import { expect, test } from "bun:test";

import { sampleAnimals } from "../../server/sample/animals.ts";
import { createSampleShelter, type SampleServices } from "../../server/sample/make.ts";
import { photoOf } from "../../server/sample/animals.ts";
import { problem } from "../../lib/base/problem.ts";
import { refused } from "../../lib/base/result.ts";
import { environments } from "../../lib/index.ts";
import type { Projects } from "../../lib/publishing/index.ts";
import { openOffice, realProjects, type Office } from "../helpers/management.ts";
import { must } from "../helpers/outcome.ts";

interface Ground extends SampleServices {
  readonly office: Office;
}

async function ground(): Promise<Ground> {
  const kept: Projects[] = [];
  const office = await openOffice({
    projects: async (within) => {
      const projects = await realProjects(within);
      kept.push(projects);
      return projects;
    },
  });
  const [projects] = kept;
  if (projects === undefined) throw new Error("The office has no projects.");
  const addressOf = (slug: string): string => `https://${slug}.petstore.test`;
  return { office, client: office.petstore.client, projects, addressOf };
}

const byName = new Map(sampleAnimals.map((animal) => [animal.name, animal]));

test("a sample shelter has its animals in both environments, some of them reserved or adopted", async () => {
  const { client, projects, addressOf } = await ground();
  const { account, project } = must(
    await createSampleShelter({ client, projects, addressOf }, "somebody"),
  );
  expect([account.name, account.plan]).toEqual(["Sample shelter", "pro"]);
  expect(project).toMatchObject({
    accountId: account.id,
    slug: "sample-shelter",
    url: "https://sample-shelter.petstore.test",
    liveDeploy: { state: "live", author: "somebody" },
  });
  for (const environment of environments) {
    const where = { accountId: account.id, environment };
    const pets = await client.pets.page(where);
    const categories = await client.categories.list(where);
    if (!pets.ok || !categories.ok) throw new Error("Nothing can be read.");
    const nameOf = new Map(categories.value.map(({ id, name }) => [id, name]));
    expect(pets.value).toHaveLength(12);
    for (const { name, status, categoryId } of pets.value) {
      const meant = byName.get(name);
      expect([name, status, nameOf.get(categoryId)]).toEqual([
        name,
        meant?.status,
        meant?.category,
      ]);
    }
  }
});

test("adopted animals have orders, as with ordinary changes", async () => {
  const { office, client, projects, addressOf } = await ground();
  const made = must(await createSampleShelter({ client, projects, addressOf }, "somebody"));
  const orders = await office
    .as("operator")
    .get<unknown[]>(`/manage/v1/accounts/${made.account.id}/production/orders`);
  const sold = sampleAnimals.filter(({ status }) => status === "sold");
  expect(sold.length).toBeGreaterThan(0);
  expect(orders.body).toHaveLength(sold.length);
});

test("its site contains a picture and a text of every animal, by ID", async () => {
  const { client, projects, addressOf } = await ground();
  const made = must(await createSampleShelter({ client, projects, addressOf }, "somebody"));
  const { id, liveDeployId = "" } = made.project;
  const manifest = await projects.deploys.manifest(id, liveDeployId);
  const paths = manifest?.files.map(({ path }) => path) ?? [];
  for (let animal = 1; animal <= 12; animal++) {
    expect(paths).toContain(`/animals/${animal}/photo.webp`);
    expect(paths).toContain(`/animals/${animal}/bio.md`);
  }
});

test("a second sample shelter gets a number in its name and a slug that is not taken", async () => {
  const { office, client, projects, addressOf } = await ground();
  await projects.create({ accountId: office.accountId, name: "Ours", slug: "sample-shelter-2" });
  const first = await createSampleShelter({ client, projects, addressOf }, "somebody");
  const second = await createSampleShelter({ client, projects, addressOf }, "somebody");
  expect([first.ok && first.value.account.name, second.ok && second.value.account.name]).toEqual([
    "Sample shelter",
    "Sample shelter 2",
  ]);
  expect(second.ok && second.value.project.slug).not.toBe("sample-shelter-2");
});

test("a sample shelter that cannot be completed leaves no account behind", async () => {
  const { client, projects, addressOf } = await ground();
  const before = await client.accounts.list();
  const full = async () => refused(problem("limit_reached", "The disk is full."));
  const broken = { ...projects, deploys: { ...projects.deploys, create: full } };
  const made = await createSampleShelter({ client, projects: broken, addressOf }, "somebody");
  expect(made).toMatchObject({ ok: false, failure: { code: "limit_reached" } });
  expect(await client.accounts.list()).toEqual(before);
});

test("every animal has its own picture, and all pictures together are small", async () => {
  const photos = await Promise.all(sampleAnimals.map(({ photo }) => photoOf(photo)));
  expect(new Set(photos.map((bytes) => Bun.hash(bytes))).size).toBe(12);
  for (const bytes of photos) expect(new TextDecoder().decode(bytes.slice(8, 12))).toBe("WEBP");
  expect(photos.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(300 * 1_024);
});
