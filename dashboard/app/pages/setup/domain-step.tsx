import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useCallback, useEffect } from "preact/hooks";

import { SECOND_MS } from "../../../../lib/base/clock.ts";
import type { BaseDomainReport } from "../../../../lib/management/system.ts";
import { get } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { TextField, bound } from "../../components/field.tsx";
import { Loaded, Notice, Refusal } from "../../components/feedback.tsx";
import { RadioField } from "../../components/choice.tsx";
import { useAttempt } from "../../components/form.tsx";
import { usePolling, useResource } from "../../state/resource.ts";
import { setupWords } from "../../words/late.tsx";
import { DomainReport, isSettled } from "./domain-report.tsx";
import { StepHead } from "./steps.tsx";

/** Where the service is to be reached: looks and advises, and changes nothing. */
export function DomainStep({ onDone }: { readonly onDone: () => void }): JSX.Element {
  const present = useResource("present", () => get<BaseDomainReport>("/system/base-domain"));
  const { domain } = setupWords.words();
  return (
    <>
      <StepHead title={domain.title}>{domain.about}</StepHead>
      <Loaded resource={present} lines={6}>
        {(report) => <Choice present={report} onDone={onDone} />}
      </Loaded>
    </>
  );
}

function Choice({
  present,
  onDone,
}: {
  readonly present: BaseDomainReport;
  readonly onDone: () => void;
}): JSX.Element {
  const local = present.records.length === 0;
  const where = useSignal<"local" | "named">(local ? "local" : "named");
  /** All that is to be done is done, or nothing is. */
  const settled = useSignal(false);
  const { domain } = setupWords.words();
  const ready = where.value === "local" || settled.value;
  return (
    <>
      {local && (
        <Card>
          <RadioField
            label={domain.label}

            options={[
              { value: "local", label: domain.local, hint: domain.localHint },
              { value: "named", label: domain.named, hint: domain.namedHint },
            ]}
            {...bound(where)}
          />
        </Card>
      )}
      {where.value === "local" && (
        <Notice tone="good">
          <p>{domain.localOnly}</p>
        </Notice>
      )}
      {where.value === "named" && (
        <DomainLook present={local ? undefined : present} onSettled={bound(settled).onInput} />
      )}
      <div class="row">
        <Button {...(ready ? { look: "primary" as const } : {})} onClick={onDone}>
          {ready ? domain.finish : domain.later}
        </Button>
      </div>
    </>
  );
}

const AGAIN_MS = 10 * SECOND_MS;

/** Asks for a name, and looks at it again and again as long as it is shown. */
function DomainLook({
  present,
  onSettled,
}: {
  /** What is known of the base domain already; undefined where it is this computer. */
  readonly present: BaseDomainReport | undefined;
  readonly onSettled: (settled: boolean) => void;
}): JSX.Element {
  const name = useSignal(present?.name ?? "");
  const report = useSignal<BaseDomainReport | undefined>(present);
  const { busy, problem, run } = useAttempt();
  const { domain } = setupWords.words();

  const look = useCallback(
    (wanted: string) =>
      run(
        () => get<BaseDomainReport>("/system/base-domain", { name: wanted.trim() }),
        (found) => {
          report.value = found;
        },
      ),
    [],
  );
  usePolling(AGAIN_MS, async () => {
    if (report.peek() !== undefined) await look(report.peek()?.name ?? "");
  });
  const settled = report.value !== undefined && isSettled(report.value);
  useEffect(() => {
    onSettled(settled);
  }, [settled]);

  const mistyped = problem?.code === "invalid_parameter";
  return (
    <>
      <Card>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            report.value = undefined;
            void look(name.value);
          }}
        >
          <TextField
            label={domain.name}
            hint={domain.nameHint}
            fault={mistyped ? domain.mistyped : undefined}
            literal
            required
            maxLength={512}

            {...bound(name)}
          />
          <Refusal problem={mistyped ? undefined : problem} />
          <div class="row">
            <Button type="submit" busy={busy} {...lookOf(settled)}>
              {domain.look}
            </Button>
            {report.value !== undefined && <span class="soft small">{domain.again}</span>}
          </div>
        </form>
      </Card>
      {report.value !== undefined && <DomainReport report={report.value} />}
    </>
  );
}

/** At most one button of a view is the one to press: once all is done that is another. */
function lookOf(settled: boolean): { readonly look?: "primary" } {
  return settled ? {} : { look: "primary" };
}
