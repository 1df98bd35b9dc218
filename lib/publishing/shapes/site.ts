import { named } from "../../base/schema.ts";
import {
  choice,
  describedAs,
  fields,
  flag,
  list,
  listOf,
  shape,
  text,
  whole,
  type ValueOf,
} from "../../base/shape.ts";
import { MAX_ID } from "../../base/id.ts";
import { petStatuses } from "../../catalogue/model.ts";
import { siteFields, siteFieldSchemas, siteSchemas } from "../model/site-settings.ts";

/** The body of `updateSite`: absent members stay as they are, and null removes one. */
export const SitePatchSchema = named("SitePatch", siteSchemas.changed);

const { language: _language, title: _title, heading: _heading, ...others } = siteFieldSchemas;

export const siteShape = shape("ProjectSite", {
  settings: describedAs(siteSchemas.stored, "The settings that the project keeps."),
  shown: fields(
    {
      language: text(
        "BCP 47. The storefront's own texts are English in other languages than en, de, es and fr.",
      ),
      title: text("Default: the name of the project."),
      heading: text("Default: a heading in the language of the site."),
    },
    others,
    { description: "What visitors see: the settings, the live deploy's and the defaults." },
  ),
  deployWins: list(choice(siteFields), {
    description:
      "The settings that `petstore.site.json` of the live deploy decides, whatever the project keeps.",
  }),
  storefront: flag(
    "`false` if the live deploy turns the storefront off: these settings then have no effect.",
  ),
  version: whole({ minimum: 1, description: "That of the project. Increases with every change." }),
});

export const storefrontsShape = listOf(
  "Storefronts",
  shape("LiveStorefront", {
    project: text("The project's ID."),
    name: text("The project's name."),
    url: text("Address of the site. An animal's page is at `animals/` and its number below it.", {
      format: "uri",
    }),
    categoryIds: list(whole({ format: "int64", minimum: 1, maximum: MAX_ID }), {
      description: "The categories that visitors see. Empty: all.",
    }),
    statuses: list(choice(petStatuses), { description: "The statuses that visitors see." }),
  }),
);

/** A site that shows animals. */
export type LiveStorefront = ValueOf<typeof storefrontsShape>[number];

/** The settings of a project's site, and what visitors see. */
export type SiteView = ValueOf<typeof siteShape>;
