import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { Category } from "../../../../../lib/model/category.ts";
import { petStatuses } from "../../../../../lib/model/pet.ts";
import { at, getAll } from "../../../api.ts";
import { CheckField } from "../../../components/field.tsx";
import { RadioField } from "../../../components/radio.tsx";
import type { InProject } from "../../../state/in-account.tsx";
import { useResource } from "../../../state/resource.ts";
import { words } from "../../../words/words.ts";
import { SettingsForm } from "./settings-form.tsx";
import { toggled } from "./toggled.ts";

/** Which animals a project shows. */
export function FilterCard({ project, reload }: InProject): JSX.Element {
  const { common, projects } = words();
  const { accountId, filter } = project;
  const statuses = useSignal(filter.statuses);
  const some = useSignal(filter.categoryIds.length > 0);
  const chosen = useSignal(filter.categoryIds);
  const categories = useResource(accountId, () =>
    getAll<Category>(at`/accounts/${accountId}/production/categories`),
  );
  const categoryIds = some.value ? chosen.value : [];
  const noStatus = statuses.value.length === 0;
  const noCategory = some.value && categoryIds.length === 0;
  const same =
    isSameSet(statuses.value, filter.statuses) && isSameSet(categoryIds, filter.categoryIds);
  // Also those that were deleted meanwhile: they can be unchosen.
  const ids = [
    ...new Set([...(categories.value ?? []).map(({ id }) => id), ...filter.categoryIds]),
  ];

  return (
    <SettingsForm
      project={project}
      title={projects.shown}
      about={projects.shownText}
      change={same ? undefined : { filter: { statuses: statuses.value, categoryIds } }}
      faulty={noStatus || noCategory}
      onSaved={() => void reload()}
    >
      <fieldset class="field">
        <legend>{projects.statuses}</legend>
        <div class="row">
          {petStatuses.map((status) => (
            <CheckField
              key={status}
              label={common.statuses[status]}
              checked={statuses.value.includes(status)}
              onInput={() => {
                statuses.value = toggled(statuses.value, status);
              }}
            />
          ))}
        </div>
        {noStatus && (
          <p class="fault" role="alert">
            {projects.statusFault}
          </p>
        )}
      </fieldset>
      <RadioField
        label={projects.categories}
        value={some.value ? "some" : "all"}
        options={[
          { value: "all", label: projects.everyCategory },
          { value: "some", label: projects.someCategories },
        ]}
        onInput={(value) => {
          some.value = value === "some";
        }}
      />
      {some.value && (
        <fieldset class="field">
          <legend class="out-of-sight">{projects.someCategories}</legend>
          <div class="row">
            {ids.map((id) => (
              <CheckField
                key={id}
                label={
                  categories.value?.find((one) => one.id === id)?.name ?? projects.category(id)
                }
                checked={chosen.value.includes(id)}
                onInput={() => {
                  chosen.value = toggled(chosen.value, id);
                }}
              />
            ))}
          </div>
          {noCategory && (
            <p class="fault" role="alert">
              {projects.categoryFault}
            </p>
          )}
        </fieldset>
      )}
    </SettingsForm>
  );
}

function isSameSet<Value>(one: readonly Value[], other: readonly Value[]): boolean {
  return one.length === other.length && one.every((value) => other.includes(value));
}
