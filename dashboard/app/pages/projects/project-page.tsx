import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useLocation } from "preact-iso";

import type { ProjectView } from "../../../../lib/management/client.ts";
import type { Deploy } from "../../../../lib/publishing/model/deploy.ts";
import { at, type Problem, send } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Notice, Refusal } from "../../components/feedback.tsx";
import { Page } from "../../components/page.tsx";
import { toast } from "../../components/toasts.tsx";
import { mayOwn } from "../../state/me.ts";
import { dateTime } from "../../words/format.ts";
import { said, words } from "../../words/words.ts";

/** A view of a project, below its name, its address and the way to its other views. */
export function ProjectPage({
  project,
  reload,
  actions,
  children,
}: {
  readonly project: ProjectView;
  readonly reload: () => Promise<void>;
  /** Default: the way to the site, where something is published. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { projects } = words();
  const { accountId, name, url, liveDeployId, deletedAt } = project;
  const open = liveDeployId !== undefined && deletedAt === undefined;
  return (
    <Page
      title={name}
      about={<span class="mono">{hostOf(url)}</span>}
      crumbs={[{ label: projects.title, href: `/accounts/${accountId}/projects` }]}
      actions={
        actions ??
        (open && (
          <ButtonLink href={url} away>
            {projects.open} <Icon name="away" />
          </ButtonLink>
        ))
      }
    >
      <ProjectTabs project={project} />
      <DeletedNotice project={project} reload={reload} />
      {children}
    </Page>
  );
}

/** The views of one project, side by side. */
function ProjectTabs({
  project: { slug },
}: {
  readonly project: Pick<ProjectView, "slug">;
}): JSX.Element {
  const { projects } = words();
  const { path } = useLocation();
  const base = `/projects/${slug}`;
  const tabs = [
    [base, projects.deploys],
    [`${base}/domains`, projects.domains],
    [`${base}/settings`, projects.settings],
  ] as const;
  // The address may name the project by its id, or by a slug that it had.
  const view = /^\/projects\/[^/]+(\/\w+)?/.exec(path)?.[1] ?? "";
  return (
    <nav class="tabs" aria-label={projects.tabs}>
      {tabs.map(([href, label]) => (
        <a key={href} href={href} {...(href === base + view ? { "aria-current": "page" } : {})}>
          {label}
        </a>
      ))}
    </nav>
  );
}

/** Says of a deleted project that it is, and how it comes back. */
export function DeletedNotice({
  project,
  reload,
}: {
  readonly project: ProjectView;
  readonly reload: () => Promise<void>;
}): JSX.Element | null {
  const { projects } = words();
  const busy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  if (project.deletedAt === undefined) return null;
  const restore = async (): Promise<void> => {
    busy.value = true;
    problem.value = await restoreProject(project);
    busy.value = false;
    await reload();
  };
  return (
    <>
      <Notice tone="warn">
        <p>
          <strong>{projects.deleted}.</strong>{" "}
          {project.restorableUntil !== undefined &&
            projects.restorable(dateTime(project.restorableUntil))}
        </p>
        {mayOwn.value && (
          <p>
            <Button small busy={busy.value} onClick={() => void restore()}>
              {projects.restore}
            </Button>
          </p>
        )}
      </Notice>
      <Refusal problem={problem.value} />
    </>
  );
}

type Named = Pick<ProjectView, "id" | "name">;

/** Takes the site off the net and offers to undo that. Resolves with why it could not be done. */
export async function deleteProject(
  project: Named,
  onChange: () => void,
): Promise<Problem | undefined> {
  const { common, projects } = words();
  const result = await send<ProjectView>("DELETE", at`/projects/${project.id}`);
  if (!result.ok) return result.failure;
  toast(projects.deletedNow(project.name), {
    label: common.undo,
    run: () => void undo(project, onChange),
  });
  return undefined;
}

/** Brings a deleted project back, live as it was. Resolves with why it could not be done. */
async function restoreProject({ id, name }: Named): Promise<Problem | undefined> {
  const result = await send<ProjectView>("POST", at`/projects/${id}/restore`);
  if (!result.ok) return result.failure;
  toast(words().projects.restored(name));
  return undefined;
}

async function undo(project: Named, onChange: () => void): Promise<void> {
  const failure = await restoreProject(project);
  if (failure !== undefined) toast(said(failure));
  onChange();
}

/** `brave-otter-1f2e.example.org`, as people write it. */
export function hostOf(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

/** Where a deploy can be looked at before, or after, it is live; undefined where only what is live is shown. */
export function previewOf(
  { previewUrl }: Pick<ProjectView, "previewUrl">,
  deployId: string,
): string | undefined {
  return previewUrl?.replace("{deploy}", deployId);
}

/** Where the site would be under another slug. */
export function renamed(url: string, from: string, to: string): string {
  return url.replace(`://${from}.`, `://${to}.`);
}

/** What people know a deploy by: what they said of it, else what it is. */
export function nameOfDeploy({ message, source }: Pick<Deploy, "message" | "source">): string {
  const { projects } = words();
  return message ?? (source === "starter" ? projects.storefront : projects.archive);
}
