import type { JSX } from "preact";

import type { ProjectView } from "../../../../lib/management/client.ts";
import { Badge } from "../../components/indicators.tsx";
import { AWAY, ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Empty, Loaded } from "../../components/feedback.tsx";
import { Icon } from "../../components/icon.tsx";
import { Instant } from "../../components/time.tsx";
import { mayChange } from "../../state/me.ts";
import type { Resource } from "../../state/resource.ts";
import { overviewWords } from "../../words/late.tsx";

/** As many as are looked at on most days. */
const SHOWN = 3;

/** The sites of the account: where they are, and since when they are as they are. */
export function SitesCard({
  base,
  projects,
}: {
  readonly base: string;
  readonly projects: Resource<readonly ProjectView[]>;
}): JSX.Element {
  const said = overviewWords.words();
  return (
    <Card title={said.sites} bare actions={<a href={`${base}/projects`}>{said.sitesAll}</a>}>
      <Loaded resource={projects} lines={3}>
        {(known) => {
          if (known.length === 0) {
            return (
              <Empty
                title={said.notLive}
                actions={
                  mayChange.value && (
                    <ButtonLink href={`${base}/projects`}>{said.newSite}</ButtonLink>
                  )
                }
              >
                {said.sitesEmpty}
              </Empty>
            );
          }
          const more = known.length - SHOWN;
          return (
            <>
              <ul class="lines">
                {known.slice(0, SHOWN).map((project) => (
                  <Site key={project.id} project={project} />
                ))}
              </ul>
              {more > 0 && (
                <footer>
                  <a href={`${base}/projects`}>{said.moreSites(more)}</a>
                </footer>
              )}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function Site({
  project: { slug, name, url, liveDeploy },
}: {
  readonly project: ProjectView;
}): JSX.Element {
  const said = overviewWords.words();
  return (
    <li class="row apart">
      <div class="stack tight site">
        <a class="link" href={`/projects/${slug}`}>
          {name}
        </a>
        {liveDeploy === undefined ? (
          <span class="soft small">{said.notLive}</span>
        ) : (
          <a class="small" href={url} {...AWAY}>
            {url.replace(/^https?:\/\//, "")} <Icon name="away" />
          </a>
        )}
      </div>
      {liveDeploy === undefined ? (
        <ButtonLink small href={`/projects/${slug}`}>
          {said.publish}
        </ButtonLink>
      ) : (
        <span class="row">
          <Badge tone="good" icon="check">
            {said.live}
          </Badge>
          <span class="soft small">
            <Instant at={liveDeploy.activatedAt ?? liveDeploy.createdAt} />
          </span>
        </span>
      )}
    </li>
  );
}
