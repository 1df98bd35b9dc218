import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import type { JSX } from "preact";

import type { ProjectView } from "../../../../../lib/management/client.ts";
import type { DomainView } from "../../../../../lib/management/domain-view.ts";
import { at, send, type Problem } from "../../../api.ts";
import { Dialog } from "../../../components/dialog.tsx";
import { CheckField, TextField } from "../../../components/field.tsx";
import { Refusal } from "../../../components/notice.tsx";
import { toast } from "../../../components/toasts.tsx";
import { useAttempt } from "../../../state/attempt.ts";
import { into } from "../../../state/into.ts";
import { domainWords } from "../../../words/domain-words.ts";
import { refusedFor } from "../deeds.ts";
import { OutlookView } from "./outlook-view.tsx";
import { twinOf } from "./outlook.ts";
import { refusedName } from "./refused-name.ts";
import { readName, type TypedName } from "./typed-name.ts";
import { usePreview } from "./use-preview.ts";

/** Asks for a name, says what awaits it, adds it, and leads on to its records. */
export function AddDomain({
  project,
  domains,
  begin,
  onClose,
  onAdded,
}: {
  readonly project: ProjectView;
  readonly domains: readonly DomainView[];
  /** What stands in the field at first. */
  readonly begin: string;
  readonly onClose: () => void;
  readonly onAdded: () => void;
}): JSX.Element {
  const { view } = domainWords.words();
  const { route } = useLocation();
  const typed = useSignal(begin);
  const sent = useSignal(false);
  const paired = useSignal<boolean | undefined>(undefined);
  const adding = useAttempt();
  const read = readName(typed.value);
  const attached = (name: string | undefined): boolean =>
    domains.some(({ domain }) => domain === name);
  const known = attached(read.ascii);
  const preview = usePreview(known ? undefined : read.ascii);
  const record = preview.explanation?.records[0];
  const other = record === undefined ? undefined : twinOf(record);
  const twin = attached(other) ? undefined : other;
  // Both are typed; but only below a name that can have a CNAME record is the second one sure to work.
  const both = twin !== undefined && (paired.value ?? record?.name === "@");

  const path = at`/projects/${project.id}/domains`;
  const add = (): void => {
    sent.value = true;
    if (read.ascii === undefined || known) return;
    void adding.run(
      () => send<DomainView>("POST", path, { domain: read.ascii }),
      (added) => void finish(added),
    );
  };
  const finish = async (added: DomainView): Promise<void> => {
    if (both) {
      const second = await send<DomainView>("POST", path, { domain: twin });
      if (!second.ok) toast(view.twinNotAdded(twin, refusedFor(second.failure)));
    }
    toast(view.added(added.unicode));
    onAdded();
    onClose();
    route(`/projects/${project.slug}/domains/${added.domain}`);
  };
  const problem = adding.problem ?? preview.problem;
  return (
    <Dialog
      title={view.addTitle}
      action={view.add}
      busy={adding.busy}
      onSubmit={add}
      onClose={onClose}
    >
      <TextField
        label={view.addLabel}
        hint={hintOf(read)}
        fault={faultOf(read, { known, sent: sent.value, problem, project })}
        value={typed.value}
        literal
        autofocus
        maxLength={512}
        onInput={(value) => {
          typed.value = value;
          sent.value = false;
        }}
      />
      <OutlookView preview={preview} />
      {twin !== undefined && (
        <CheckField label={view.pair(twin)} checked={both} onInput={into(paired)} />
      )}
      {problem?.errors === undefined && <Refusal problem={problem} />}
    </Dialog>
  );
}

/** What was made of what was typed, where that is not plain to see. */
function hintOf({ name, pasted, ascii }: TypedName): string {
  const { view } = domainWords.words();
  const told = [
    ...(pasted && ascii !== undefined ? [view.taken(name)] : []),
    ...(ascii !== undefined && ascii !== name ? [view.asciiOf(ascii)] : []),
  ];
  return told.length === 0 ? view.addHint : told.join(" ");
}

/** Nobody is told of a fault who is still typing, unless it is one for sure. */
function faultOf(
  { fault, ascii }: TypedName,
  {
    known,
    sent,
    problem,
    project: { slug, url },
  }: {
    readonly known: boolean;
    readonly sent: boolean;
    readonly problem: Problem | undefined;
    readonly project: ProjectView;
  },
): string | undefined {
  const { view } = domainWords.words();
  if (known) return view.faults.attached;
  if (fault !== undefined && (sent || SURE.has(fault))) return view.faults[fault];
  if (problem?.errors === undefined || ascii === undefined) return undefined;
  return view.refusedNames[refusedName(ascii, { siteHost: new URL(url).hostname, slug })](ascii);
}

const SURE: ReadonlySet<string> = new Set(["wildcard", "mail", "too_long"]);
