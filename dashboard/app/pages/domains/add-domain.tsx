import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";

import type { ProjectView } from "../../../../lib/management/client.ts";
import type { DomainView, ExplanationView } from "../../../../lib/management/domain-view.ts";
import { at, type Problem, send } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { CheckField, TextField, bound } from "../../components/field.tsx";
import { Notice, Refusal, type Tone } from "../../components/feedback.tsx";
import { toast } from "../../components/toasts.tsx";
import { useAttempt } from "../../components/form.tsx";
import { domainWords } from "../../words/late.tsx";
import { refusedFor } from "./actions.tsx";
import { type Outlook, outlookOf, twinOf } from "./list-rules.ts";
import { readName, refusedName, type TypedName } from "./names.ts";
import { findingTold, titleOf, typeTold } from "./texts.tsx";

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
        <CheckField label={view.pair(twin)} value={both} onInput={bound(paired).onInput} />
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

const TONES: Readonly<Record<Outlook, Tone>> = {
  clear: "good",
  changes: "plain",
  obstacles: "warn",
  unknown: "plain",
};

/** What awaits whoever adds a name, told before it is added. */
function OutlookView({ preview }: { readonly preview: Preview }): JSX.Element {
  const { view } = domainWords.words();
  const { looking, explanation } = preview;
  return (
    <div class="outlook" role="status">
      {looking && (
        <p class="row soft">
          <span class="spin" aria-hidden="true" /> {view.previewing}
        </p>
      )}
      {explanation !== undefined && <Told explanation={explanation} />}
    </div>
  );
}

function Told({ explanation }: { readonly explanation: ExplanationView }): JSX.Element {
  const { view } = domainWords.words();
  const { provider, nameServers, records, obstacles, changes, lookAlike } = explanation;
  const outlook = outlookOf(explanation);
  const texts = {
    clear: view.previewClear,
    changes: view.previewChanges,
    obstacles: view.previewObstacles,
    unknown: view.previewUnknown,
  };
  const [record] = records;
  const told = [...obstacles, ...changes].filter(({ code }) => code !== "no_record");
  return (
    <div class="stack tight">
      {lookAlike !== null && (
        <Notice tone="warn">
          <p>{view.lookAlikes[lookAlike]}</p>
        </Notice>
      )}
      <Notice tone={TONES[outlook]}>
        <p>
          <b>{texts[outlook]}</b>
        </p>
        <p>
          {provider === null
            ? nameServers.length > 0 && view.previewServers(nameServers.slice(0, 4).join(", "))
            : view.previewProvider(provider.name)}{" "}
          {record !== undefined &&
            (record.name === "@"
              ? view.previewAlias(typeTold(record))
              : view.previewRecord(typeTold(record), record.name))}
        </p>
        {told.length > 0 && (
          <ul class="dots">
            {told.map((finding) => (
              <li key={`${finding.code} ${finding.server ?? ""}`}>
                <b>{titleOf(finding.code) ?? finding.code}.</b> {findingTold(finding).observed}
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
}

/** What the DNS says of a name that is being typed. */
interface Preview {
  readonly looking: boolean;
  /** Of that very name; absent until it has come. */
  readonly explanation?: ExplanationView;
  readonly problem?: Problem;
}

const NOTHING: Preview = { looking: false };

/** A pause of that length says that a name is typed. */
const PAUSE_MS = 700;

/** Looks at a name once nobody types any more; what is told of another name is dropped. */
function usePreview(ascii: string | undefined): Preview {
  const preview = useSignal<Preview>(NOTHING);
  useEffect(() => {
    preview.value = NOTHING;
    if (ascii === undefined) return undefined;
    let current = true;
    const timer = window.setTimeout(() => {
      preview.value = { looking: true };
      void send<ExplanationView>("POST", "/domains/explain", { domain: ascii }).then((result) => {
        if (!current) return;
        preview.value = result.ok
          ? { looking: false, explanation: result.value }
          : { looking: false, problem: result.failure };
      });
    }, PAUSE_MS);
    return () => {
      current = false;
      window.clearTimeout(timer);
    };
  }, [ascii]);
  return preview.value;
}
