import type { ProjectView } from "../../../../lib/management/client.ts";
import { at, send, type Problem } from "../../api.ts";
import { toast } from "../../components/toasts.tsx";
import { said } from "../../words/said.ts";
import { words } from "../../words/words.ts";

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
export async function restoreProject({ id, name }: Named): Promise<Problem | undefined> {
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
