import { array, integer, named, object, oneOf, string } from "../../base/schema.ts";
import {
  declared,
  fields,
  instant,
  listOf,
  shape,
  text,
  whole,
  type ValueOf,
} from "../../base/shape.ts";
import { MAX_ID } from "../../base/id.ts";
import { petStatuses } from "../../catalogue/model.ts";
import { nameSchema, shownName } from "../../model/name-schema.ts";
import { faultOfTheme, MAX_FILTER_CATEGORIES, schemes, siteLanguages } from "../model/project.ts";
import { faultOfSlug, MAX_SLUG, MIN_SLUG, reservedJson } from "../model/slug.ts";
import { deployShape } from "./deploys.ts";

const words = { description: "For people; not unique.", examples: ["Happy Tails"] };
const name = nameSchema(80, words);

const slug = string((given) => faultOfSlug(given), {
  minLength: MIN_SLUG,
  maxLength: MAX_SLUG,
  pattern: "^[a-z0-9]+(-[a-z0-9]+)*$",
  not: reservedJson,
  description:
    "First label of the site's host name; unique. Earlier slugs redirect to the new one for 30 days.",
  examples: ["happy-tails"],
});

const filterMembers = {
  categoryIds: array(integer({ minimum: 1, maximum: MAX_ID }), {
    maxItems: MAX_FILTER_CATEGORIES,
    description: "Categories of Production; an empty list means all.",
  }),
  statuses: array(oneOf(petStatuses), {
    minItems: 1,
    maxItems: petStatuses.length,
    description: "Statuses of the animals that the site shows.",
  }),
};
const filter = object({}, filterMembers, {
  description: "The animals of Production that the site shows. Omitted fields stay unchanged.",
});

const theme = object(
  {},
  {
    accent: string((accent) => colourFault(accent), {
      pattern: "^#[0-9A-Fa-f]{6}$",
      examples: ["#1f6feb"],
    }),
    scheme: oneOf(schemes),
  },
  {
    description:
      "The storefront's look where the site file does not define it. Replaced as a whole.",
  },
);

function colourFault(accent: string): string | undefined {
  return faultOfTheme({ accent }) === undefined ? undefined : "must be a colour such as #1f6feb";
}

const language = oneOf(siteLanguages, {
  description: "Language of the storefront's own texts. Default: en. `updateSite` changes it.",
});

/** The body of `createProject`. */
export const NewProjectSchema = named(
  "NewProject",
  object({ name }, { slug, filter, theme, language }),
);

/** The body of `updateProject`: absent members stay as they are. */
export const ProjectPatchSchema = named("ProjectPatch", object({}, { name, slug, filter, theme }));

export const projectShape = shape(
  "Project",
  {
    id: text("`prj_` and 12 characters."),
    accountId: text("The account that owns the project."),
    slug: text("First label of the site's host name."),
    name: declared<string>(shownName(80, words)),
    filter: fields(filterMembers),
    theme,
    version: whole({ minimum: 1, description: "Increases with every change." }),
    createdAt: instant("When it was created."),
    updatedAt: instant("When it was last changed."),
    url: text("Address of the site.", { format: "uri" }),
  },
  {
    previewUrl: text(
      "Address of each complete deploy, live or not; replace `{deploy}` with its ID. Absent where every host needs a certificate of its own.",
    ),
    liveDeployId: text("The deploy that visitors see; absent while there is none."),
    liveDeploy: deployShape,
    deletedAt: instant("When it was deleted and its site went offline."),
    restorableUntil: instant("Until then a deleted project can be restored."),
  },
);

export const projectsShape = listOf("Projects", projectShape);

/** A project with its address and its live deploy. */
export type ProjectView = ValueOf<typeof projectShape>;
