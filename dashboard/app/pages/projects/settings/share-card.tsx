import type { JSX } from "preact";

import type { ProjectView } from "../../../../../lib/management/client.ts";
import { AWAY } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Code, Copy } from "../../../components/copy.tsx";
import { Notice } from "../../../components/notice.tsx";
import { words } from "../../../words/words.ts";

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
