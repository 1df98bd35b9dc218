import type { ComponentChildren, JSX } from "preact";
import { useLocation } from "preact-iso";

import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import type { Deploy } from "../../../../lib/publishing/model/deploy.ts";
import { call, type Problem, type Result } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Notice, Refusal } from "../../components/feedback.tsx";
import { useAttempt } from "../../components/form.tsx";
import { Icon } from "../../components/icon.tsx";
import { Page } from "../../components/page.tsx";
import { toast } from "../../components/toasts.tsx";
import type { InProject } from "../../state/in-account.tsx";
import { mayOwn } from "../../state/me.ts";
import { dateTime } from "../../words/format.ts";
import { words } from "../../words/words.ts";

/** The frame of a project's views: name, address and tabs. */
export function ProjectPage({
  project,
  reload,
  actions,
  children,
}: InProject & {
  /** Default: a link to the published site. */
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

function ProjectTabs({ project: { slug } }: Pick<InProject, "project">): JSX.Element {
  const { projects } = words();
  const { path } = useLocation();
  const base = `/projects/${slug}`;
  const tabs = [
    [base, projects.deploys],
    [`${base}/domains`, projects.domains],
    [`${base}/site`, projects.site],
    [`${base}/settings`, projects.settings],
  ] as const;
  // The address may contain the project's id or a former slug.
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

/** Says that a project is deleted, and restores it. */
export function DeletedNotice({ project, reload }: InProject): JSX.Element | null {
  const { projects } = words();
  const { busy, problem, run } = useAttempt();
  if (project.deletedAt === undefined) return null;
  const restore = async (): Promise<void> => {
    await run(
      () => restoreProject(project),
      ({ name }) => toast(projects.restored(name)),
    );
    await reload();
  };
  return (
    <>
      <Notice tone="warn">
        <p>
          {project.restorableUntil === undefined
            ? projects.deleted
            : projects.restorable(dateTime(project.restorableUntil))}
        </p>
        {mayOwn.value && (
          <p>
            <Button small busy={busy} onClick={() => void restore()}>
              {projects.restore}
            </Button>
          </p>
        )}
      </Notice>
      <Refusal problem={problem} />
    </>
  );
}

/** Restores a deleted project. */
export function restoreProject({ id }: ProjectView): Promise<Result<ProjectView, Problem>> {
  return call("POST /projects/:project/restore", { project: id });
}

/** Publishes the starter storefront. */
export function publishStarter(project: string): Promise<Result<Deploy, Problem>> {
  return call("POST /projects/:project/deploys", { project, body: { source: "starter" } });
}

/** Returns the host of a site: `brave-otter-1f2e.example.org`. */
export function hostOf(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

/** Returns the preview address of a deploy; undefined if the service has no previews. */
export function previewOf(
  { previewUrl }: Pick<ProjectView, "previewUrl">,
  deployId: string,
): string | undefined {
  return previewUrl?.replace("{deploy}", deployId);
}

/** Returns the message of a deploy, or its kind if it has none. */
export function nameOfDeploy({ message, source }: Pick<Deploy, "message" | "source">): string {
  const { projects } = words();
  return message ?? (source === "starter" ? projects.storefront : projects.archive);
}
