import type { ComponentChildren, JSX } from "preact";

import type { ProjectView } from "../../../../lib/management/client.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Page } from "../../components/page.tsx";
import { words } from "../../words/words.ts";
import { hostOf } from "./addresses.ts";
import { DeletedNotice } from "./deleted-notice.tsx";
import { ProjectTabs } from "./project-tabs.tsx";

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
