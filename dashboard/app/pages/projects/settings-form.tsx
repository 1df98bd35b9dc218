import type { ComponentChildren, JSX } from "preact";

import type { PetstoreOperations } from "../../../../domains/operations.ts";
import type { InputOf } from "../../../../lib/http/operation.ts";
import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import { call, type Problem, type Result } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { useAttempt } from "../../components/form.tsx";
import { Card } from "../../components/page.tsx";
import { toast } from "../../components/toasts.tsx";
import { useUnsaved } from "../../components/unsaved.ts";
import { mayChange } from "../../state/me.ts";
import { words } from "../../words/words.ts";

type ProjectPatch = InputOf<PetstoreOperations["PATCH /projects/:project"]>["body"];

/** Settings that are saved together. Members who may not change them see them disabled. */
export function SettingsForm({
  project,
  text,
  about,
  change,
  faulty = false,
  onSaved,
  onRefused,
  children,
}: {
  readonly project: ProjectView;
  /** The heading, and the label of the button. */
  readonly text: { readonly title: string; readonly save: string };
  readonly about?: string;
  /** The fields to change; undefined if none differ. */
  readonly change: ProjectPatch | undefined;
  /** The input is invalid. */
  readonly faulty?: boolean;
  readonly onSaved: (project: ProjectView) => void;
  /** Returns true for a refusal that the caller shows at its field. */
  readonly onRefused?: (problem: Problem) => boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { common } = words();
  const { busy, problem, run } = useAttempt();
  useUnsaved(change !== undefined);
  const save = async (): Promise<Result<ProjectView, Problem> | undefined> => {
    const result = await call("PATCH /projects/:project", {
      project: project.id,
      body: change ?? {},
    });
    return !result.ok && onRefused?.(result.failure) === true ? undefined : result;
  };
  const submit = (): void => {
    if (faulty || change === undefined) return;
    void run(save, (saved) => {
      toast(common.saved);
      onSaved(saved);
    });
  };
  return (
    <Card title={text.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <fieldset class="stack settings" disabled={!mayChange.value}>
          {about !== undefined && <p class="soft">{about}</p>}
          {children}
          <Refusal problem={problem} />
          {mayChange.value && (
            <p>
              <Button type="submit" busy={busy} disabled={change === undefined || faulty}>
                {text.save}
              </Button>
            </p>
          )}
        </fieldset>
      </form>
    </Card>
  );
}
