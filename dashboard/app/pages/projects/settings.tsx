import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useLocation } from "preact-iso";

import { petStatuses } from "../../../../lib/catalogue/model.ts";
import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import { trimText } from "../../../../lib/model/text.ts";
import { faultOfSlug } from "../../../../lib/publishing/model/slug.ts";
import { call, listAll } from "../../api.ts";
import { AWAY, Button } from "../../components/button.tsx";
import { RadioField } from "../../components/choice.tsx";
import { Code, Copy } from "../../components/copy.tsx";
import { Notice } from "../../components/feedback.tsx";
import { bound, CheckField, TextField } from "../../components/field.tsx";
import { act, actIfSure } from "../../components/form.tsx";
import { Card } from "../../components/page.tsx";
import { type InProject, inProject } from "../../state/in-account.tsx";
import { mayChange, mayOwn } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { lateWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { hostOf, ProjectPage, restoreProject } from "./project-page.tsx";
import { SettingsForm } from "./settings-form.tsx";

const settingsWords = lateWords("projectSettings", {
  en: () => import("../../words/en/project-settings.ts"),
  de: () => import("../../words/de/project-settings.ts"),
});

/** The settings of a project. */
export const ProjectSettings = inProject(settingsWords.within(Settings));

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
          <ShareCard project={project} />
          <DeleteCard project={project} />
        </>
      )}
    </ProjectPage>
  );
}

function GeneralCard({ project, reload }: InProject): JSX.Element {
  const { projects } = words();
  const settings = settingsWords.words();
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
      text={settings.general}
      change={Object.keys(change).length === 0 ? undefined : change}
      faulty={faulty || trimText(name.value) === ""}
      onSaved={(saved) => {
        // The slug is part of this view's address.
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
        hint={hostOf(
          project.url.replace(`://${project.slug}.`, `://${faulty ? project.slug : slug.value}.`),
        )}
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
          <p>{settings.moves(project.slug, slug.value)}</p>
        </Notice>
      )}
    </SettingsForm>
  );
}

/** Chooses the animals that a project shows. */
function FilterCard({ project, reload }: InProject): JSX.Element {
  const { common } = words();
  const settings = settingsWords.words();
  const { accountId, filter } = project;
  const statuses = useSignal(filter.statuses);
  const some = useSignal(filter.categoryIds.length > 0);
  const chosen = useSignal(filter.categoryIds);
  const categories = useResource(accountId, () =>
    listAll("GET /accounts/:account/:environment/categories", {
      account: accountId,
      environment: "production",
    }),
  );
  const categoryIds = some.value ? chosen.value : [];
  const noStatus = statuses.value.length === 0;
  const noCategory = some.value && categoryIds.length === 0;
  const same =
    isSameSet(statuses.value, filter.statuses) && isSameSet(categoryIds, filter.categoryIds);
  // Includes deleted categories, so that the user can remove them.
  const ids = [
    ...new Set([...(categories.value ?? []).map(({ id }) => id), ...filter.categoryIds]),
  ];

  return (
    <SettingsForm
      project={project}
      text={settings.shown}
      about={settings.shownText}
      change={same ? undefined : { filter: { statuses: statuses.value, categoryIds } }}
      faulty={noStatus || noCategory}
      onSaved={() => void reload()}
    >
      <CheckFields
        label={settings.statuses}
        options={petStatuses.map((status) => [status, common.statuses[status]])}
        chosen={statuses}
        fault={noStatus ? settings.statusFault : undefined}
      />
      <RadioField
        label={settings.categories}
        value={some.value ? "some" : "all"}
        options={[
          { value: "all", label: settings.everyCategory },
          { value: "some", label: settings.someCategories },
        ]}
        onInput={(value) => (some.value = value === "some")}
      />
      {some.value && (
        <CheckFields
          label={<span class="out-of-sight">{settings.someCategories}</span>}
          options={ids.map((id) => [
            id,
            categories.value?.find((one) => one.id === id)?.name ?? settings.category(id),
          ])}
          chosen={chosen}
          fault={noCategory ? settings.categoryFault : undefined}
        />
      )}
    </SettingsForm>
  );
}

function isSameSet<Value>(one: readonly Value[], other: readonly Value[]): boolean {
  return one.length === other.length && one.every((value) => other.includes(value));
}

/** Any number of several options. */
function CheckFields<Value extends string | number>({
  label,
  options,
  chosen,
  fault,
}: {
  readonly label: ComponentChildren;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly chosen: Signal<readonly Value[]>;
  readonly fault: string | undefined;
}): JSX.Element {
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <div class="row">
        {options.map(([value, name]) => (
          <CheckField
            key={value}
            label={name}
            value={chosen.value.includes(value)}
            onInput={(checked) => {
              const others = chosen.value.filter((one) => one !== value);
              chosen.value = checked ? [...others, value] : others;
            }}
          />
        ))}
      </div>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

/** Code and feeds that show the animals on other sites. */
function ShareCard({
  project: { url, liveDeployId },
}: {
  readonly project: ProjectView;
}): JSX.Element {
  const settings = settingsWords.words();
  const feeds = [
    [settings.feedJson, `${url}/feed.json`],
    [settings.feedAtom, `${url}/feed.xml`],
    [settings.feedRss, `${url}/rss.xml`],
    [settings.feedSitemap, `${url}/sitemap.xml`],
  ] as const;
  return (
    <Card title={settings.share}>
      {liveDeployId === undefined && (
        <Notice>
          <p>{settings.shareEmpty}</p>
        </Notice>
      )}
      <div class="stack tight">
        <h3>{settings.embed}</h3>
        <p class="soft small">{settings.embedHint}</p>
        <Code text={embedCode(url, settings.embedTitle)} what={settings.embedCode} />
      </div>
      <div class="stack tight">
        <h3>{settings.feeds}</h3>
        <p class="soft small">{settings.feedsHint}</p>
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

/** The same code as in the publishing guide. */
function embedCode(url: string, title: string): string {
  return `<iframe src="${url}/embed" title="${title}" loading="lazy"\n  style="width: 100%; height: 48rem; border: 0"></iframe>`;
}

function DeleteCard({ project }: { readonly project: ProjectView }): JSX.Element {
  const { common, projects } = words();
  const settings = settingsWords.words();
  const { route } = useLocation();
  const { id, name, slug, accountId } = project;
  const undo = async (): Promise<void> => {
    await act(projects.restored(name), () => restoreProject(project));
    route(`/projects/${slug}`);
  };
  const remove = async (): Promise<void> => {
    const deleted = await actIfSure(
      settings.delete,
      name,
      () => call("DELETE /projects/:project", { project: id }),
      { look: "danger", typed: slug, undo: { label: common.undo, run: () => void undo() } },
    );
    if (deleted !== undefined) route(`/accounts/${accountId}/projects`);
  };
  return (
    <Card title={settings.deletion} look="danger">
      <p>{settings.delete.text}</p>
      {mayOwn.value ? (
        <p>
          <Button look="danger" onClick={() => void remove()}>
            {settings.delete.action}
          </Button>
        </p>
      ) : (
        <p class="soft">{settings.onlyOwners}</p>
      )}
    </Card>
  );
}
