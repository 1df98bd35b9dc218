import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";

import type { ProjectView } from "../../../../lib/management/client.ts";
import { at, type Problem, type Result, send } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { toast } from "../../components/toasts.tsx";
import { mayChange } from "../../state/me.ts";
import { words } from "../../words/words.ts";

/** A few settings that are saved together; for whoever may not change them, to be read. */
export function SettingsForm({
  project,
  title,
  about,
  change,
  faulty = false,
  onSaved,
  onRefused,
  children,
}: {
  readonly project: ProjectView;
  readonly title: string;
  readonly about?: string;
  /** What would be different; undefined: nothing. */
  readonly change: object | undefined;
  /** It cannot be saved as it is. */
  readonly faulty?: boolean;
  readonly onSaved: (project: ProjectView) => void;
  /** Gets a refusal before it is shown; true: it is shown at its field. */
  readonly onRefused?: (problem: Problem) => boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { common } = words();
  const busy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const save = async (): Promise<void> => {
    busy.value = true;
    problem.value = undefined;
    const result: Result<ProjectView, Problem> = await send(
      "PATCH",
      at`/projects/${project.id}`,
      change,
    );
    busy.value = false;
    if (result.ok) {
      toast(common.saved);
      onSaved(result.value);
    } else if (onRefused?.(result.failure) !== true) problem.value = result.failure;
  };
  return (
    <Card title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy.value && !faulty && change !== undefined) void save();
        }}
      >
        <fieldset class="stack settings" disabled={!mayChange.value}>
          {about !== undefined && <p class="soft">{about}</p>}
          {children}
          <Refusal problem={problem.value} />
          {mayChange.value && (
            <p>
              <Button type="submit" busy={busy.value} disabled={change === undefined || faulty}>
                {common.save}
              </Button>
            </p>
          )}
        </fieldset>
      </form>
    </Card>
  );
}
