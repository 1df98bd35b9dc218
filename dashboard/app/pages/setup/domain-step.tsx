import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useCallback, useEffect } from "preact/hooks";

import { SECOND_MS } from "../../../../lib/base/clock.ts";
import type { BaseDomainReport } from "../../../../lib/management/system.ts";
import { call } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { RadioField } from "../../components/choice.tsx";
import { Loaded, Notice, Refusal } from "../../components/feedback.tsx";
import { bound, TextField } from "../../components/field.tsx";
import { useAttempt } from "../../components/form.tsx";
import { Card } from "../../components/page.tsx";
import { usePolling, useResource } from "../../state/resource.ts";
import { setupWords } from "./words.ts";
import { DomainReport, isSettled } from "./domain-report.tsx";
import { StepHead } from "./steps.tsx";

/** Checks a base domain and advises. Changes nothing. */
export function DomainStep({ onDone }: { readonly onDone: () => void }): JSX.Element {
  const present = useResource("present", () => call("GET /system/base-domain"));
  const { domain } = setupWords.words();
  return (
    <>
      <StepHead title={domain.title} />
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
  /** The domain could be checked, and no check has failed. */
  const settled = useSignal(false);
  const { domain } = setupWords.words();
  const ready = where.value === "local" || settled.value;
  return (
    <>
      <p class="soft">{local ? domain.about : domain.running}</p>
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
        <DomainCheck present={local ? undefined : present} onSettled={bound(settled).onInput} />
      )}
      <div class="row">
        <Button look={ready ? "primary" : undefined} onClick={onDone}>
          {ready ? domain.finish : domain.later}
        </Button>
      </div>
    </>
  );
}

const POLL_MS = 10 * SECOND_MS;

/** Checks a domain repeatedly while it is shown. */
function DomainCheck({
  present,
  onSettled,
}: {
  /** The report on the current base domain; undefined for this computer. */
  readonly present: BaseDomainReport | undefined;
  readonly onSettled: (settled: boolean) => void;
}): JSX.Element {
  const name = useSignal(present?.name ?? "");
  const report = useSignal<BaseDomainReport | undefined>(present);
  const { busy, problem, run } = useAttempt();
  const { domain } = setupWords.words();

  const check = useCallback(
    (wanted: string) =>
      run(
        () => call("GET /system/base-domain", { query: { name: wanted.trim() } }),
        (found) => {
          report.value = found;
        },
      ),
    [],
  );
  usePolling(POLL_MS, async () => {
    if (report.peek() !== undefined) await check(report.peek()?.name ?? "");
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
            void check(name.value);
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
            {/* A view has one primary button; once all checks pass it is another one. */}
            <Button type="submit" busy={busy} look={settled ? undefined : "primary"}>
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
