import type { Problem } from "../../base/problem.ts";
import { done, type Result } from "../../base/result.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { endpoint } from "../../http/endpoint.ts";
import { inAccount, inProject } from "../../management/endpoint.ts";
import type { ManagementServices } from "../../management/management.ts";
import type { Project } from "../model/project.ts";
import { liveSiteFile } from "../live-site-file.ts";
import { settingsOf, siteOf } from "../model/site-settings.ts";
import {
  type LiveStorefront,
  SitePatchSchema,
  siteShape,
  type SiteView,
  storefrontsShape,
} from "../shapes/site.ts";
import { languageOf } from "../storefront/language.ts";
import { shownBy } from "../storefront/shown.ts";

const one = {
  status: 200,
  description: "The settings, and what visitors see.",
  schema: siteShape,
  example: {
    settings: { language: "de", title: "Tierheim Sonnenhof", phone: "+49 30 5550100" },
    shown: {
      language: "de",
      title: "Tierheim Sonnenhof",
      heading: "Zuhause gesucht",
      phone: "+49 30 5550100",
      accent: "#1f6feb",
    },
    deployWins: ["accent"],
    storefront: true,
    version: 4,
  },
} as const;

export const siteEndpoints = [
  endpoint({
    operationId: "listStorefronts",
    method: "GET",
    path: "/accounts/:account/storefronts",
    tag: "projects",
    access: inAccount("viewer"),
    summary: "List the sites that show animals",
    description:
      "The live sites of an account with a storefront, and which animals of Production visitors see there. Empty while the account is suspended.",
    success: {
      status: 200,
      description: "The sites, newest project first.",
      schema: storefrontsShape,
      example: [
        {
          project: "prj_8fJ2kQ0aZx1B",
          name: "Happy Tails",
          url: "https://brave-otter-1f2e.example.org",
          categoryIds: [],
          statuses: ["available", "pending"],
        },
      ],
    },
    refusals: [],
    run: async ({ account: { id, suspendedAt } }, services) =>
      done(suspendedAt === undefined ? await storefrontsOf(services, id) : []),
  }),
  endpoint({
    operationId: "getSite",
    method: "GET",
    path: "/projects/:project/site",
    tag: "projects",
    access: inProject("viewer"),
    summary: "Get the settings of a site",
    description:
      "Language, texts, contact, links and colours of the storefront, as the project keeps them and as visitors see them.",
    success: one,
    refusals: [],
    run: async ({ project }, services) => done(await viewOfSite(services, project)),
  }),
  endpoint({
    operationId: "updateSite",
    method: "PATCH",
    path: "/projects/:project/site",
    tag: "projects",
    access: inProject("staff"),
    summary: "Change the settings of a site",
    description:
      "Omitted members stay unchanged, and null removes one. Visitors see the change within a second, without a deploy. " +
      "`petstore.site.json` of the live deploy wins: `deployWins` names the settings that it decides.",
    body: SitePatchSchema,
    success: one,
    refusals: ["not_found"],
    run: async ({ project, body }, services): Promise<Result<SiteView, Problem>> => {
      const updated = await services.projects.update(project.id, { site: body });
      return updated.ok ? done(await viewOfSite(services, updated.value)) : updated;
    },
  }),
];

async function storefrontsOf(
  { store, projects, addressOf }: Pick<ManagementServices, "store" | "projects" | "addressOf">,
  accountId: string,
): Promise<readonly LiveStorefront[]> {
  const catalogue = await store.catalogues.of(accountId, "production");
  if (catalogue === undefined) return [];
  const views: LiveStorefront[] = [];
  for (const project of await projects.list({ accountId, limit: MAX_PROJECTS })) {
    const { id, slug, name, liveDeployId, deletedAt } = project;
    if (liveDeployId === undefined || deletedAt !== undefined) continue;
    const manifest = await projects.deploys.manifest(id, liveDeployId);
    if (manifest === undefined || manifest.site.storefront === false) continue;
    const { categoryIds, statuses } = shownBy({ project, catalogueId: catalogue.id, manifest });
    views.push({ project: id, name, url: addressOf(slug), categoryIds, statuses });
  }
  return views;
}

/** More than an account has, deleted ones included. */
const MAX_PROJECTS = 500;

async function viewOfSite(
  { projects }: Pick<ManagementServices, "projects">,
  project: Project,
): Promise<SiteView> {
  const { id, name, version, liveDeployId } = project;
  const siteFile = await liveSiteFile(projects, id, liveDeployId);
  const settings = settingsOf(project);
  const { values, deployWins } = siteOf(settings, siteFile);
  const language = languageOf(values.language);
  return {
    settings,
    shown: withoutUndefined({
      ...values,
      language: language.tag,
      title: values.title ?? name,
      heading: values.heading ?? language.words.heading,
    }),
    deployWins,
    storefront: siteFile.storefront !== false,
    version,
  };
}
