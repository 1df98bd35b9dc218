import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";

import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import type { DomainView, ExplanationView } from "../../../../domains/view/shapes.ts";
import { call, type Problem } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Notice, Refusal, type Tone } from "../../components/feedback.tsx";
import { bound, CheckField, TextField } from "../../components/field.tsx";
import { useAttempt } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { useTypedForm } from "../../components/unsaved.ts";
import { domainWords } from "../../words/late.tsx";
import { inDetail } from "../../words/words.ts";
import { type Outlook, outlookOf, twinOf } from "./list-rules.ts";
import { readName, refusalOfName, type TypedName } from "./names.ts";
import { findingText, titleOf, typeName } from "./texts.tsx";

/** Previews the DNS of a name, adds it, and opens its records. */
export function AddDomain({
  project,
  domains,
  initialName,
  onClose,
  onAdded,
}: {
  readonly project: ProjectView;
  readonly domains: readonly DomainView[];
  readonly initialName: string;
  readonly onClose: () => void;
  readonly onAdded: () => void;
}): JSX.Element {
  const { view } = domainWords.words();
  const { route } = useLocation();
  const typed = useSignal(initialName);
  const sent = useSignal(false);
  const paired = useSignal<boolean | undefined>(undefined);
  const adding = useAttempt();
  const { form, asking } = useTypedForm();
  const read = readName(typed.value);
  const attached = (name: string | undefined): boolean =>
    domains.some(({ domain }) => domain === name);
  const known = attached(read.ascii);
  const preview = usePreview(known ? undefined : read.ascii);
  const record = preview.explanation?.records[0];
  const other = record === undefined ? undefined : twinOf(record);
  const twin = attached(other) ? undefined : other;
  // Suggested only for an apex domain: its `www.` name can have a CNAME record.
  const both = twin !== undefined && (paired.value ?? record?.name === "@");

  const add = (): void => {
    sent.value = true;
    const domain = read.ascii;
    if (domain === undefined || known) return;
    void adding.run(
      () => call("POST /projects/:project/domains", { project: project.id, body: { domain } }),
      (added) => void finish(added),
    );
  };
  const finish = async (added: DomainView): Promise<void> => {
    if (both) {
      const second = await call("POST /projects/:project/domains", {
        project: project.id,
        body: { domain: twin },
      });
      if (!second.ok) toast(view.twinNotAdded(twin, inDetail(second.failure)));
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
      form={form}
      busy={adding.busy}
      onSubmit={add}
      onClose={asking(onClose)}
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
      <PreviewNotice preview={preview} />
      {twin !== undefined && (
        <CheckField label={view.pair(twin)} value={both} onInput={bound(paired).onInput} />
      )}
      {problem?.errors === undefined && <Refusal problem={problem} />}
    </Dialog>
  );
}

/** Shows how the input was read, if that is not obvious. */
function hintOf({ name, pasted, ascii }: TypedName): string {
  const { view } = domainWords.words();
  const hints = [
    ...(pasted && ascii !== undefined ? [view.taken(name)] : []),
    ...(ascii !== undefined && ascii !== name ? [view.asciiOf(ascii)] : []),
  ];
  return hints.length === 0 ? view.addHint : hints.join(" ");
}

/** Hides faults that further typing may fix, until the form is sent. */
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
  if (fault !== undefined && (sent || ALWAYS_FAULTS.has(fault))) return view.faults[fault];
  if (problem?.errors === undefined || ascii === undefined) return undefined;
  return view.refusedNames[refusalOfName(ascii, { siteHost: new URL(url).hostname, slug })](ascii);
}

const ALWAYS_FAULTS: ReadonlySet<string> = new Set(["wildcard", "mail", "too_long"]);

const TONES: Readonly<Record<Outlook, Tone>> = {
  clear: "good",
  changes: "plain",
  obstacles: "warn",
  unknown: "plain",
};

function PreviewNotice({ preview }: { readonly preview: Preview }): JSX.Element {
  const { view } = domainWords.words();
  const { loading, explanation } = preview;
  return (
    <div class="outlook" role="status">
      {loading && (
        <p class="row soft">
          <span class="spin" aria-hidden="true" /> {view.previewing}
        </p>
      )}
      {explanation !== undefined && <Explanation explanation={explanation} />}
    </div>
  );
}

function Explanation({ explanation }: { readonly explanation: ExplanationView }): JSX.Element {
  const { view } = domainWords.words();
  const { provider, nameServers, records, obstacles, changes, lookAlike } = explanation;
  const outlook = outlookOf(explanation);
  const [record] = records;
  const findings = [...obstacles, ...changes].filter(({ code }) => code !== "no_record");
  return (
    <div class="stack tight">
      {lookAlike !== null && (
        <Notice tone="warn">
          <p>{view.lookAlikes[lookAlike]}</p>
        </Notice>
      )}
      <Notice tone={TONES[outlook]}>
        <p>
          <b>{view.outlooks[outlook]}</b>
        </p>
        <p>
          {provider === null
            ? nameServers.length > 0 && view.previewServers(nameServers.slice(0, 4).join(", "))
            : view.previewProvider(provider.name)}{" "}
          {record !== undefined &&
            (record.name === "@"
              ? view.previewAlias(typeName(record))
              : view.previewRecord(typeName(record), record.name))}
        </p>
        {findings.length > 0 && (
          <ul class="dots">
            {findings.map((finding) => (
              <li key={`${finding.code} ${finding.server ?? ""}`}>
                <b>{titleOf(finding.code) ?? finding.code}.</b> {findingText(finding).observed}
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
}

/** The service's DNS check of the name typed. */
interface Preview {
  readonly loading: boolean;
  readonly explanation?: ExplanationView;
  readonly problem?: Problem;
}

const NOTHING: Preview = { loading: false };

/** Pause after which typing counts as finished. */
const PAUSE_MS = 700;

/** Checks a name once typing pauses; drops responses for earlier names. */
function usePreview(ascii: string | undefined): Preview {
  const preview = useSignal<Preview>(NOTHING);
  useEffect(() => {
    preview.value = NOTHING;
    if (ascii === undefined) return undefined;
    let current = true;
    const timer = window.setTimeout(() => {
      preview.value = { loading: true };
      void call("POST /domains/explain", { body: { domain: ascii } }).then((result) => {
        if (!current) return;
        preview.value = result.ok
          ? { loading: false, explanation: result.value }
          : { loading: false, problem: result.failure };
      });
    }, PAUSE_MS);
    return () => {
      current = false;
      window.clearTimeout(timer);
    };
  }, [ascii]);
  return preview.value;
}
