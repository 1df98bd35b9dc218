import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import type { JSX } from "preact";

import type { ProjectView } from "../../../../../lib/management/client.ts";
import type { Problem } from "../../../api.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { confirm } from "../../../components/confirm.tsx";
import { Refusal } from "../../../components/notice.tsx";
import { mayOwn } from "../../../state/me.ts";
import { words } from "../../../words/words.ts";
import { deleteProject } from "../project-actions.ts";

/** Takes a project off the net. */
export function DeleteCard({ project }: { readonly project: ProjectView }): JSX.Element {
  const { common, projects } = words();
  const { route } = useLocation();
  const problem = useSignal<Problem | undefined>(undefined);
  const remove = async (): Promise<void> => {
    const sure = await confirm({
      title: projects.askDelete(project.name),
      text: projects.dangerText,
      action: common.delete,
      look: "danger",
      typed: project.slug,
    });
    if (!sure) return;
    problem.value = await deleteProject(project, () => {
      route(`/projects/${project.slug}`);
    });
    if (problem.value === undefined) route(`/accounts/${project.accountId}/projects`);
  };
  return (
    <Card title={projects.danger} look="danger">
      <p>{projects.dangerText}</p>
      <Refusal problem={problem.value} />
      {mayOwn.value ? (
        <p>
          <Button look="danger" onClick={() => void remove()}>
            {common.delete}
          </Button>
        </p>
      ) : (
        <p class="soft">{projects.onlyOwners}</p>
      )}
    </Card>
  );
}
