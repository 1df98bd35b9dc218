import type { Problem } from "../../lib/base/problem.ts";
import { done, type Result } from "../../lib/base/result.ts";
import {
  environments,
  type Account,
  type Environment,
  type ForActors,
  type LocalClient,
} from "../../lib/index.ts";
import type { SampleShelter } from "../../lib/management/index.ts";
import type { Project, Projects } from "../../lib/publishing/index.ts";
import { sampleAnimals, sampleCategories } from "./animals.ts";
import { sampleSite } from "./site.ts";

export interface SampleServices {
  readonly client: LocalClient;
  readonly projects: Projects;
  /** Address of a project's site by its slug. */
  readonly addressOf: (slug: string) => string;
}

/** The services for each actor. */
export interface SampleSources extends Pick<SampleServices, "addressOf"> {
  readonly client: ForActors<LocalClient>;
  readonly projects: ForActors<Projects>;
}

const NAME = "Sample shelter";
const SLUG = "sample-shelter";

/** Creates the sample shelter completely, or not at all. */
export async function createSampleShelter(
  ground: SampleServices,
  author: string,
): Promise<Result<SampleShelter, Problem>> {
  const { accounts } = ground.client;
  const number = nextNumber(await accounts.list());
  const account = await accounts.create({ name: numbered(NAME, " ", number), plan: "pro" });
  if (!account.ok) return account;
  let made: Result<SampleShelter, Problem> | undefined;
  try {
    made = await populate(ground, { account: account.value, number, author });
    return made;
  } finally {
    if (made?.ok !== true) await accounts.delete(account.value.id);
  }
}

interface Shelter {
  readonly account: Account;
  readonly number: number;
  readonly author: string;
}

async function populate(
  ground: SampleServices,
  { account, number, author }: Shelter,
): Promise<Result<SampleShelter, Problem>> {
  const { client, projects, addressOf } = ground;
  for (const environment of environments) {
    const stocked = await addAnimals(client, { accountId: account.id, environment });
    if (!stocked.ok) return stocked;
  }
  const animals = await client.pets.page({ accountId: account.id, environment: "production" });
  if (!animals.ok) return animals;
  const ids = new Map(animals.value.map(({ id, name }) => [name, id]));
  const project = await projectOf(projects, account, number);
  if (!project.ok) return project;
  const { id, slug } = project.value;
  const archive = sampleSite((name) => ids.get(name));
  const deploy = await projects.deploys.create(id, { archive, author, message: NAME });
  if (!deploy.ok) return deploy;
  const published = (await projects.byId(id)) ?? project.value;
  const view = { ...published, url: addressOf(slug), liveDeploy: deploy.value };
  return done({ account, project: view });
}

/** Adds the animals, and changes the status of some, which creates orders. */
async function addAnimals(
  { pets, categories }: LocalClient,
  where: { readonly accountId: string; readonly environment: Environment },
): Promise<Result<undefined, Problem>> {
  for (const name of sampleCategories) {
    const created = await categories.create({ ...where, name });
    if (!created.ok) return created;
  }
  const rows = sampleAnimals.map(({ name, category }) => ({ name, category }));
  const imported = await pets.import({ ...where, rows });
  if (!imported.ok) return imported;
  const arrived = await pets.page(where);
  if (!arrived.ok) return arrived;
  for (const { id: petId, name } of arrived.value) {
    const status = sampleAnimals.find((animal) => animal.name === name)?.status ?? "available";
    if (status === "available") continue;
    const changed = await pets.update({ ...where, petId, status });
    if (!changed.ok) return changed;
  }
  return done(undefined);
}

/** Creates the project under a readable slug, unless that is taken. */
async function projectOf(
  projects: Projects,
  { id: accountId, name }: Account,
  number: number,
): Promise<Result<Project, Problem>> {
  const slug = numbered(SLUG, "-", number);
  const named = await projects.create({ accountId, name, slug });
  return named.ok || named.failure.code !== "slug_taken"
    ? named
    : projects.create({ accountId, name });
}

function nextNumber(accounts: readonly Account[]): number {
  const names = new Set(accounts.map(({ name }) => name));
  let number = 1;
  while (names.has(numbered(NAME, " ", number))) number++;
  return number;
}

function numbered(name: string, between: string, number: number): string {
  return number === 1 ? name : `${name}${between}${number}`;
}
