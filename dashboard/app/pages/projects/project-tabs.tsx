import { useLocation } from "preact-iso";
import type { JSX } from "preact";

import type { ProjectView } from "../../../../lib/management/client.ts";
import { words } from "../../words/words.ts";

/** The views of one project, side by side. */
export function ProjectTabs({
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
