import { problem, type Problem } from "../../base/problem.ts";
import { faultOfName, normalText } from "../../model/text.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { Project, ProjectFilter, Theme } from "../model/project.ts";
import { faultOfFilter, faultOfTheme, normalFilter, normalTheme } from "../model/project-rules.ts";
import { faultOfSlug } from "../model/slug.ts";
import type { PublishingContext } from "./context.ts";

const MAX_NAME = 80;

type Fields = Pick<Project, "name" | "filter" | "theme">;

/** What a person wants a project to be, checked: also that its categories are in the account's production catalogue. */
export async function checkFields(
  { store }: Pick<PublishingContext, "store">,
  accountId: string,
  { name, filter, theme }: Fields,
): Promise<Result<Fields, Problem>> {
  const fault = faultOf({ name, filter, theme });
  if (fault !== undefined) return refused(problem("invalid_value", fault));
  const catalogue = await store.catalogues.of(accountId, "production");
  for (const id of filter.categoryIds) {
    if (catalogue !== undefined && (await store.categories.byId(catalogue.id, id)) !== undefined) {
      continue;
    }
    const message = `There is no category ${id} in Production.`;
    return refused(problem("unknown_category", message));
  }
  return done({
    name: normalText(name),
    filter: normalFilter(filter),
    theme: normalTheme(theme),
  });
}

/** A slug that a person has chosen, checked: but not whether it is free. */
export function checkSlug(
  { reserved }: Pick<PublishingContext, "reserved">,
  slug: string,
): Result<string, Problem> {
  const fault = typeof slug === "string" ? faultOfSlug(slug, reserved) : "must be a string";
  return fault === undefined ? done(slug) : refused(problem("invalid_value", `The slug ${fault}.`));
}

function faultOf({
  name,
  filter,
  theme,
}: {
  readonly name: string;
  readonly filter: ProjectFilter;
  readonly theme: Theme;
}): string | undefined {
  const fault = typeof name === "string" ? faultOfName(name, MAX_NAME) : "must be a string";
  if (fault !== undefined) return `The name ${fault}.`;
  return faultOfFilter(filter) ?? faultOfTheme(theme);
}
