import type { JSX } from "preact";

import type { ProjectView } from "../../../../lib/management/client.ts";
import type { DomainView } from "../../../../lib/management/domain-view.ts";
import { Badge } from "../../components/badge.tsx";
import { AWAY } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Instant } from "../../components/instant.tsx";
import { words } from "../../words/words.ts";
import { hostOf } from "./addresses.ts";
import { DeletedNotice } from "./deleted-notice.tsx";
import { nameOfDeploy } from "./deploys/deploy-name.ts";

/** A project in the list: where it is, what is live there, and since when. */
export function ProjectCard({
  project,
  domains,
  reload,
}: {
  readonly project: ProjectView;
  readonly domains: readonly DomainView[];
  readonly reload: () => Promise<void>;
}): JSX.Element {
  const { projects } = words();
  const { name, slug, url, liveDeploy, deletedAt } = project;
  const live = liveDeploy !== undefined && deletedAt === undefined;
  return (
    <article class="card project-card">
      <div class="inside stack tight">
        <div class="project-head">
          <h2>
            <a href={`/projects/${slug}`}>{name}</a>
          </h2>
          <State project={project} />
        </div>
        <p class="mono small">
          {live ? (
            <a href={url} {...AWAY}>
              {hostOf(url)}
              <Icon name="away" />
              <span class="out-of-sight">{projects.open}</span>
            </a>
          ) : (
            <span class="soft">{hostOf(url)}</span>
          )}
        </p>
        {domains.map(({ id, domain, unicode, status }) => (
          <p key={id} class="mono small">
            <a href={`/projects/${slug}/domains/${domain}`}>
              <Icon name={status === "live" ? "domain" : "clock"} />
              {unicode}
            </a>
          </p>
        ))}
        {live && (
          <p class="soft small">
            {nameOfDeploy(liveDeploy)}
            {liveDeploy.activatedAt !== undefined && (
              <>
                {" · "}
                <Instant at={liveDeploy.activatedAt} />
              </>
            )}
          </p>
        )}
        <DeletedNotice project={project} reload={reload} />
      </div>
    </article>
  );
}

function State({ project }: { readonly project: ProjectView }): JSX.Element {
  const { projects } = words();
  if (project.deletedAt !== undefined) return <Badge tone="bad">{projects.deleted}</Badge>;
  if (project.liveDeployId === undefined) return <Badge>{projects.empty}</Badge>;
  return (
    <Badge tone="good" icon="check">
      {projects.live}
    </Badge>
  );
}
