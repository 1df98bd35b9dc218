import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import type { JSX } from "preact";

import type { ProjectView } from "../../../../lib/management/client.ts";
import type { Deploy } from "../../../../lib/publishing/model/deploy.ts";
import { faultOfSlug } from "../../../../lib/publishing/model/slug.ts";
import { at, send, type Problem } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { CheckField, TextField } from "../../components/field.tsx";
import { Refusal } from "../../components/notice.tsx";
import { toast } from "../../components/toasts.tsx";
import { into } from "../../state/into.ts";
import { words } from "../../words/words.ts";
import { slugOf } from "./slug-of.ts";

const MAX_NAME = 80;

/** Makes a project, and publishes the storefront there unless that is not wanted. */
export function CreateProject({
  accountId,
  onClose,
}: {
  readonly accountId: string;
  readonly onClose: () => void;
}): JSX.Element {
  const { projects } = words();
  const { route } = useLocation();
  const name = useSignal("");
  /** Undefined as long as it follows the name. */
  const typed = useSignal<string | undefined>(undefined);
  const starter = useSignal(true);
  const busy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);

  const slug = typed.value ?? slugOf(name.value);
  const taken = problem.value?.code === "slug_taken";
  const faulty = slug !== "" && faultOfSlug(slug) !== undefined;
  const fault = faulty ? projects.slugFault : taken ? projects.slugTaken : undefined;

  const create = async (): Promise<void> => {
    busy.value = true;
    const created = await send<ProjectView>("POST", at`/accounts/${accountId}/projects`, {
      name: name.value.trim(),
      // Without one the service makes one up.
      ...(slug === "" ? {} : { slug }),
    });
    if (!created.ok) {
      busy.value = false;
      problem.value = created.failure;
      return;
    }
    const { id, slug: given, name: called } = created.value;
    const published = starter.value
      ? await send<Deploy>("POST", at`/projects/${id}/deploys`, { source: "starter" })
      : undefined;
    // The project is there whatever became of the storefront; its page offers that again.
    toast(published?.ok === true ? projects.createdLive(called) : projects.created(called));
    onClose();
    route(`/projects/${given}`);
  };

  return (
    <Dialog
      title={projects.new}
      action={projects.create}
      busy={busy.value}
      disabled={name.value.trim() === "" || faulty}
      onSubmit={() => void create()}
      onClose={onClose}
    >
      {!taken && <Refusal problem={problem.value} />}
      <TextField
        label={projects.name}
        hint={projects.nameHint}
        value={name.value}
        required
        autofocus
        maxLength={MAX_NAME}
        onInput={(value) => {
          name.value = value;
          problem.value = undefined;
        }}
      />
      <TextField
        label={projects.slug}
        hint={projects.slugHint}
        fault={fault}
        value={slug}
        literal
        onInput={(value) => {
          typed.value = value.toLowerCase();
          problem.value = undefined;
        }}
      />
      <div class="stack tight">
        <CheckField label={projects.starter} checked={starter.value} onInput={into(starter)} />
        <p class="soft small">{projects.starterHint}</p>
      </div>
    </Dialog>
  );
}
