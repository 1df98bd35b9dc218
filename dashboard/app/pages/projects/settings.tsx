import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";

import type { ProjectView } from "../../../../lib/management/client.ts";
import type { Category } from "../../../../lib/model/category.ts";
import { petStatuses } from "../../../../lib/model/pet.ts";
import { faultOfSlug } from "../../../../lib/publishing/model/slug.ts";
import { at, getAll, type Problem } from "../../api.ts";
import { AWAY, Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { confirm } from "../../components/dialog.tsx";
import { Code, Copy } from "../../components/copy.tsx";
import { CheckField, TextField, bound } from "../../components/field.tsx";
import { Notice, Refusal } from "../../components/feedback.tsx";
import { RadioField } from "../../components/choice.tsx";
import { type InProject, inProject } from "../../state/in-account.tsx";
import { mayChange, mayOwn } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { words } from "../../words/words.ts";
import { deleteProject, hostOf, ProjectPage, renamed } from "./project-page.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { ThemeCard } from "./theme-card.tsx";

/** What is set about a project: name, address, which animals, looks; and how it is deleted. */
export const ProjectSettings = inProject(Settings);

function Settings({ project, reload }: InProject): JSX.Element {
  const deleted = project.deletedAt !== undefined;
  return (
    <ProjectPage project={project} reload={reload}>
      {!deleted && (
        <>
          {!mayChange.value && (
            <Notice>
              <p>{words().projects.readOnly}</p>
            </Notice>
          )}
          <GeneralCard project={project} reload={reload} />
          <FilterCard project={project} reload={reload} />
          <ThemeCard project={project} reload={reload} />
          <ShareCard project={project} />
          <DeleteCard project={project} />
        </>
      )}
    </ProjectPage>
  );
}

/** What a project is called, and where it is. */
export function GeneralCard({ project, reload }: InProject): JSX.Element {
  const { projects } = words();
  const { route } = useLocation();
  const name = useSignal(project.name);
  const slug = useSignal(project.slug);
  const taken = useSignal(false);
  const moved = slug.value !== project.slug;
  const faulty = faultOfSlug(slug.value) !== undefined;
  const change = {
    ...(name.value.trim() === project.name ? {} : { name: name.value.trim() }),
    ...(moved ? { slug: slug.value } : {}),
  };
  return (
    <SettingsForm
      project={project}
      title={projects.general}
      change={Object.keys(change).length === 0 ? undefined : change}
      faulty={faulty || name.value.trim() === ""}
      onSaved={(saved) => {
        // The address of this very view is made of it.
        if (saved.slug !== project.slug) route(`/projects/${saved.slug}/settings`, true);
        else void reload();
      }}
      onRefused={({ code }) => {
        taken.value = code === "slug_taken";
        return taken.value;
      }}
    >
      <TextField
        label={projects.name}
        hint={projects.nameHint}

        required
        maxLength={80}
        {...bound(name)}
      />
      <TextField
        label={projects.slug}
        hint={hostOf(renamed(project.url, project.slug, faulty ? project.slug : slug.value))}
        fault={faulty ? projects.slugFault : taken.value ? projects.slugTaken : undefined}
        value={slug.value}
        required
        literal
        onInput={(value) => {
          slug.value = value.toLowerCase();
          taken.value = false;
        }}
      />
      {moved && !faulty && (
        <Notice live="status">
          <p>{projects.moves(project.slug, slug.value)}</p>
        </Notice>
      )}
    </SettingsForm>
  );
}

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
              value={statuses.value.includes(status)}
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
                value={chosen.value.includes(id)}
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

/** The same with `value` where it was not, and without it where it was. */
export function toggled<Value>(values: readonly Value[], value: Value): readonly Value[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}

/** How the animals get into other sites, and into programs. */
export function ShareCard({
  project: { url, liveDeployId },
}: {
  readonly project: ProjectView;
}): JSX.Element {
  const { projects } = words();
  const feeds = [
    [projects.feedJson, `${url}/feed.json`],
    [projects.feedAtom, `${url}/feed.xml`],
    [projects.feedSitemap, `${url}/sitemap.xml`],
  ] as const;
  return (
    <Card title={projects.share}>
      {liveDeployId === undefined && (
        <Notice>
          <p>{projects.shareEmpty}</p>
        </Notice>
      )}
      <div class="stack tight">
        <h3>{projects.embed}</h3>
        <p class="soft small">{projects.embedHint}</p>
        <Code text={embedCode(url, projects.embedTitle)} what={projects.embedCode} />
      </div>
      <div class="stack tight">
        <h3>{projects.feeds}</h3>
        <p class="soft small">{projects.feedsHint}</p>
        <ul class="address-list">
          {feeds.map(([label, address]) => (
            <li key={address}>
              <span>{label}</span>
              <a class="mono" href={address} {...AWAY}>
                {address}
              </a>
              <Copy text={address} what={label} />
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

/** As the guide to publishing has it. */
function embedCode(url: string, title: string): string {
  return `<iframe src="${url}/embed" title="${title}" loading="lazy"\n  style="width: 100%; height: 48rem; border: 0"></iframe>`;
}

/** Takes a project off the net. */
export function DeleteCard({ project }: { readonly project: ProjectView }): JSX.Element {
  const { common, projects } = words();
  const { route } = useLocation();
  const problem = useSignal<Problem | undefined>(undefined);
  const remove = async (): Promise<void> => {
    const sure = await confirm({
      title: projects.askDelete(project.name),
      text: projects.dangerText,
      action: common.delete,
      look: "danger",
      typed: project.slug,
    });
    if (!sure) return;
    problem.value = await deleteProject(project, () => {
      route(`/projects/${project.slug}`);
    });
    if (problem.value === undefined) route(`/accounts/${project.accountId}/projects`);
  };
  return (
    <Card title={projects.danger} look="danger">
      <p>{projects.dangerText}</p>
      <Refusal problem={problem.value} />
      {mayOwn.value ? (
        <p>
          <Button look="danger" onClick={() => void remove()}>
            {common.delete}
          </Button>
        </p>
      ) : (
        <p class="soft">{projects.onlyOwners}</p>
      )}
    </Card>
  );
}
