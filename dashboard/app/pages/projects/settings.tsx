import type { JSX } from "preact";

import { Notice } from "../../components/notice.tsx";
import { inProject, type InProject } from "../../state/in-account.tsx";
import { mayChange } from "../../state/me.ts";
import { words } from "../../words/words.ts";
import { ProjectPage } from "./project-page.tsx";
import { DeleteCard } from "./settings/delete-card.tsx";
import { FilterCard } from "./settings/filter-card.tsx";
import { GeneralCard } from "./settings/general-card.tsx";
import { ShareCard } from "./settings/share-card.tsx";
import { ThemeCard } from "./settings/theme-card.tsx";

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
