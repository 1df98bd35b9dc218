import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { ProjectView } from "../../../../lib/management/client.ts";
import type { Problem } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Notice, Refusal } from "../../components/notice.tsx";
import { mayOwn } from "../../state/me.ts";
import { dateTime } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { restoreProject } from "./project-actions.ts";

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
