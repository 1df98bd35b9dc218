import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import { type Account, environments, type Plan } from "../../../../lib/model/account.ts";
import type { SiteLanguage } from "../../../../lib/publishing/model/project.ts";
import { call, listAll, type Problem, type Result } from "../../api.ts";
import { publishStarter } from "../projects/project-page.tsx";
import { slugOf } from "../projects/slug-of.ts";

/** What the user wants to start with. */
export type Purpose = "sample" | "shelter" | "embed";

/** The account that was created, and its site. */
export interface Shelter {
  readonly purpose: Purpose;
  readonly accountId: string;
  readonly name: string;
  /** Absent for an account without a site. */
  readonly site?: { readonly url: string; readonly slug: string };
}

interface Wanted {
  readonly name: string;
  readonly plan: Plan;
}

/** A shelter, and what it is called in its language. */
interface WantedShelter extends Wanted {
  /** The language of the site. */
  readonly language: SiteLanguage;
}

/** The categories of a new catalogue, in the order of their ids. */
const CATEGORIES: Readonly<Record<SiteLanguage, readonly string[]>> = {
  en: ["Dogs", "Cats", "Other"],
  de: ["Hunde", "Katzen", "Andere"],
  es: ["Perros", "Gatos", "Otros"],
  fr: ["Chiens", "Chats", "Autres"],
};

/** The name that the server gives the first sample shelter. */
const SAMPLE = "Sample shelter";

/** Creates a sample account with animals and a site, or finds the one of an interrupted attempt. */
export async function makeSample(): Promise<Result<Shelter, Problem>> {
  const accounts = await listAll("GET /accounts");
  if (!accounts.ok) return accounts;
  const known = accounts.value.find(({ name }) => name === SAMPLE);
  const projects =
    known && (await listAll("GET /accounts/:account/projects", { account: known.id }));
  const site = projects?.ok === true ? projects.value.find(isLive) : undefined;
  if (known !== undefined && site !== undefined) return sampleOf(known, site);
  const made = await call("POST /accounts/sample");
  if (!made.ok) return made;
  return sampleOf(made.value.account, made.value.project);
}

function isLive({ liveDeploy, deletedAt }: ProjectView): boolean {
  return liveDeploy !== undefined && deletedAt === undefined;
}

function sampleOf(
  { id: accountId, name }: Account,
  { url, slug }: ProjectView,
): Result<Shelter, Problem> {
  return { ok: true, value: { purpose: "sample", accountId, name, site: { url, slug } } };
}

/** Creates an account without a site. */
export async function makeAccount(wanted: Wanted): Promise<Result<Shelter, Problem>> {
  const account = await accountFor(wanted);
  if (!account.ok) return account;
  const { id: accountId, name } = account.value;
  return { ok: true, value: { purpose: "embed", accountId, name } };
}

/** Creates an account and a site, with categories and pages in the language of the shelter. */
export async function makeShelter(wanted: WantedShelter): Promise<Result<Shelter, Problem>> {
  const account = await accountFor({ name: wanted.name, plan: wanted.plan });
  if (!account.ok) return account;
  const { id: accountId, name } = account.value;
  const renamed = await nameCategories(accountId, CATEGORIES[wanted.language]);
  if (!renamed.ok) return renamed;
  const project = await projectFor(accountId, name, wanted.language);
  if (!project.ok) return project;
  const { id, url, slug } = project.value;
  const deployed = await publishStarter(id);
  if (!deployed.ok) return deployed;
  return { ok: true, value: { purpose: "shelter", accountId, name, site: { url, slug } } };
}

/** Gives the categories that every new catalogue has names in the language of the shelter. */
async function nameCategories(
  account: string,
  names: readonly string[],
): Promise<Result<undefined, Problem>> {
  for (const environment of environments) {
    for (const [index, name] of names.entries()) {
      const renamed = await call("PATCH /accounts/:account/:environment/categories/:category", {
        account,
        environment,
        category: String(index + 1),
        body: { name },
      });
      // Someone has changed the categories already: theirs stay.
      const isTheirs =
        !renamed.ok && ["not_found", "category_exists"].includes(renamed.failure.code);
      if (!renamed.ok && !isTheirs) return renamed;
    }
  }
  return { ok: true, value: undefined };
}

/** The name of the account that the first start in a terminal creates. */
const MADE_AT_START = "My shelter";

/** Renames an unused account, from the first start or an interrupted attempt, or creates one. */
async function accountFor({ name, plan }: Wanted): Promise<Result<Account, Problem>> {
  const accounts = await listAll("GET /accounts");
  if (!accounts.ok) return accounts;
  for (const account of accounts.value) {
    const ours = account.name === MADE_AT_START || account.name === name.trim();
    if (ours && (await isUnused(account))) {
      return call("PATCH /accounts/:account", { account: account.id, body: { name, plan } });
    }
  }
  return call("POST /accounts", { body: { name, plan } });
}

/** Returns true for an account without animals, orders and projects. */
async function isUnused({ id }: Account): Promise<boolean> {
  const summary = await call("GET /accounts/:account/:environment/summary", {
    account: id,
    environment: "production",
  });
  const projects = await listAll("GET /accounts/:account/projects", { account: id });
  if (!summary.ok || !projects.ok) return false;
  const { pets, orders } = summary.value;
  return pets.available + pets.pending + pets.sold + orders === 0 && projects.value.length === 0;
}

const MAX_PROJECT_NAME = 80;

/** Uses the account's name as slug if it is valid and free. */
async function projectFor(
  accountId: string,
  accountName: string,
  language: SiteLanguage,
): Promise<Result<ProjectView, Problem>> {
  const name = Array.from(accountName).slice(0, MAX_PROJECT_NAME).join("").trim();
  const slug = slugOf(name);
  const create = (more: { readonly slug?: string }) =>
    call("POST /accounts/:account/projects", {
      account: accountId,
      body: { name, language, ...more },
    });
  const named = slug === "" ? undefined : await create({ slug });
  return named?.ok === true ? named : create({});
}
