import { companions, type ProfileValues } from "../../catalogue/model-profile.ts";
import { markup, type Markup, type Part } from "./markup.ts";
import type { Presentation } from "./presentation.ts";
import { ageGroups, companionsIn, sexesChosen, type AgeGroup, type ListQuery } from "./route.ts";

/** The filters of profiles that a visitor chose. */
export type ProfileQuery = Pick<ListQuery, "sex" | "size" | "age" | "with">;

/** Returns the filters of profiles in a query. */
export function profileQueryOf({ sex, size, age, with: companion }: ListQuery): ProfileQuery {
  return {
    ...(sex !== undefined && { sex }),
    ...(size !== undefined && { size }),
    ...(age !== undefined && { age }),
    ...(companion !== undefined && { with: companion }),
  };
}

/**
 * Returns a form that filters the list at `path` by profiles, and works without script; undefined if no profile says enough.
 * It keeps the other filters of `query`.
 */
export function profileForm(
  path: string,
  query: ListQuery,
  { sexes, sizes, goodWith, births }: ProfileValues,
  { language }: Presentation,
): Markup | undefined {
  const { profile: words } = language;
  const sexesKnown = sexesChosen.filter((one) => sexes.includes(one));
  const select = <Value extends string>(
    name: keyof ProfileQuery,
    label: string,
    values: readonly Value[],
    texts: Readonly<Record<Value, string>>,
  ): Part =>
    (values.length > 1 || query[name] !== undefined) &&
    markup`
      <label>${label}<select name="${name}"><option value="">${words.any}</option>${values.map(
        (value) =>
          markup`<option value="${value}"${query[name] === value && markup` selected`}>${texts[value]}</option>`,
      )}</select></label>
    `;
  const chosen = companionsIn(query.with) ?? [];
  const offered = companions.filter((one) => goodWith.includes(one) || chosen.includes(one));
  const boxes =
    offered.length > 0 &&
    markup`
      <fieldset><legend>${words.goodWith}</legend>${offered.map(
        (one) =>
          markup`<label><input type="checkbox" name="with" value="${one}"${chosen.includes(one) && markup` checked`} />${words.companions[one]}</label>`,
      )}</fieldset>
    `;
  const ages: readonly AgeGroup[] = births ? ageNames : [];
  const fields = [
    select("sex", words.sex, sexesKnown, words.sexes),
    select("age", words.age, ages, words.ages),
    select("size", words.size, sizes, words.sizes),
    boxes,
  ];
  if (fields.every((field) => field === false)) return undefined;
  const { category, status, scheme } = query;
  const kept = Object.entries({ category, status, scheme }).map(
    ([name, value]) =>
      value !== undefined && markup`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const isOpen = Object.keys(profileQueryOf(query)).length > 0;
  return markup`
    <details class="profile-filters"${isOpen && markup` open`}><summary>${words.moreFilters}</summary>
    <form class="choices" action="${path}" method="get">${kept}${fields}
    <button class="button solid">${words.apply}</button></form></details>
  `;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a literal
const ageNames = Object.keys(ageGroups) as readonly AgeGroup[];
