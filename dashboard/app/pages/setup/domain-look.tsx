import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useCallback, useEffect } from "preact/hooks";

import { SECOND_MS } from "../../../../lib/base/clock.ts";
import type { BaseDomainReport } from "../../../../lib/management/system.ts";
import { get } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { TextField } from "../../components/field.tsx";
import { Refusal } from "../../components/notice.tsx";
import { useAttempt } from "../../state/attempt.ts";
import { into } from "../../state/into.ts";
import { usePolling } from "../../state/polling.ts";
import { setupWords } from "../../words/setup-words.ts";
import { DomainReport } from "./domain-report.tsx";
import { isSettled } from "./told.ts";

const AGAIN_MS = 10 * SECOND_MS;

/** Asks for a name, and looks at it again and again as long as it is shown. */
export function DomainLook({
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
            value={name.value}
            onInput={into(name)}
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
