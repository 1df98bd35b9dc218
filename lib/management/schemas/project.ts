import { array, integer, named, object, oneOf, string, type Schema } from "../../base/schema.ts";
import { MAX_ID, petStatuses, type PetStatus } from "../../model/pet.ts";
import { nameSchema, shownName } from "../../model/name-schema.ts";
import {
  type Theme,
  faultOfTheme,
  MAX_FILTER_CATEGORIES,
  schemes,
} from "../../publishing/model/project.ts";
import { faultOfSlug, MAX_SLUG, MIN_SLUG, reservedJson } from "../../publishing/model/slug.ts";
import { deployShape } from "./deploy.ts";
import { instant, listOf, shape, text, type Shape } from "./shape.ts";

const words = { description: "For people; not unique.", examples: ["Happy Tails"] };
const name = nameSchema(80, words);

const slug = string((given) => faultOfSlug(given), {
  minLength: MIN_SLUG,
  maxLength: MAX_SLUG,
  pattern: "^[a-z0-9]+(-[a-z0-9]+)*$",
  not: reservedJson,
  description:
    "First label of the site's host name; unique. One that the project had leads to the new one for 30 days.",
  examples: ["happy-tails"],
});

const filter = object(
  {},
  {
    categoryIds: array(integer({ minimum: 1, maximum: MAX_ID }), {
      maxItems: MAX_FILTER_CATEGORIES,
      description: "Categories of Production; none means all.",
    }),
    statuses: array(oneOf(petStatuses), {
      minItems: 1,
      maxItems: petStatuses.length,
      description: "Which animals are shown.",
    }),
  },
  { description: "Which animals of Production the site shows. What is absent stays." },
);

const theme = object(
  {},
  {
    accent: string((accent) => colourFault(accent), {
      pattern: "^#[0-9A-Fa-f]{6}$",
      examples: ["#1f6feb"],
    }),
    scheme: oneOf(schemes),
  },
  { description: "How the storefront looks where the site file does not say it. Replaced whole." },
);

function colourFault(accent: string): string | undefined {
  return faultOfTheme({ accent }) === undefined ? undefined : "must be a colour such as #1f6feb";
}

interface ProjectFields {
  readonly slug?: string | undefined;
  readonly filter?:
    | {
        readonly categoryIds?: readonly number[] | undefined;
        readonly statuses?: readonly PetStatus[] | undefined;
      }
    | undefined;
  readonly theme?:
    | {
        readonly accent?: string | undefined;
        readonly scheme?: NonNullable<Theme["scheme"]> | undefined;
      }
    | undefined;
}

/** The body of `createProject`. */
export const NewProjectSchema: Schema<ProjectFields & { readonly name: string }> & {
  readonly name: string;
} = named("NewProject", object({ name }, { slug, filter, theme }));

/** The body of `updateProject`: what is absent stays. */
export const ProjectPatchSchema: Schema<ProjectFields & { readonly name?: string | undefined }> & {
  readonly name: string;
} = named("ProjectPatch", object({}, { name, slug, filter, theme }));

export const projectShape: Shape = shape(
  "Project",
  {
    id: text("`prj_` and 12 characters."),
    accountId: text("Whose it is."),
    slug: { type: "string", description: "First label of the site's host name." },
    name: shownName(80, words),
    filter: {
      type: "object",
      required: ["categoryIds", "statuses"],
      properties: filter.json["properties"],
      additionalProperties: false,
    },
    theme: theme.json,
    version: { type: "integer", minimum: 1, description: "Grows with every change." },
    createdAt: instant("When it was made."),
    updatedAt: instant("When it was last changed."),
    url: { type: "string", format: "uri", description: "Where visitors find it." },
  },
  {
    previewUrl: text(
      "Where each whole deploy is shown, live or not: its id stands for `{deploy}`. Absent where hosts have a certificate each.",
    ),
    liveDeployId: text("The deploy that visitors see; absent while there is none."),
    liveDeploy: deployShape.json,
    deletedAt: instant("It serves nothing since then."),
    restorableUntil: instant("Until then a deleted project can be restored."),
  },
);

export const projectsShape: Shape = listOf("Projects", projectShape);
