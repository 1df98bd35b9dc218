import type { JSX } from "preact";

import type { CheckState, SystemCheck } from "../../../../lib/management/system.ts";
import { Badge } from "../../components/indicators.tsx";
import { Card } from "../../components/page.tsx";
import { Notice, type Tone } from "../../components/feedback.tsx";
import { administrationWords } from "../../words/late.tsx";

const TONES: Readonly<Record<CheckState, Tone>> = {
  ok: "good",
  warning: "warn",
  failed: "bad",
  skipped: "plain",
};

/** From what keeps something from working to what is in order. */
const ORDER: readonly CheckState[] = ["failed", "warning", "ok"];

/** What was looked at, what of it is wrong, and what to do about that. */
export function Checks({ checks }: { readonly checks: readonly SystemCheck[] }): JSX.Element {
  const { system } = administrationWords.words();
  const among = (state: CheckState): readonly SystemCheck[] =>
    checks.filter((check) => check.state === state);
  const [failed, warnings] = [among("failed").length, among("warning").length];
  const skipped = among("skipped");
  const tone = failed > 0 ? "bad" : warnings > 0 ? "warn" : "good";
  return (
    <Card bare title={system.checks}>
      <div class="inside">
        <Notice tone={tone} live="status">
          <p>{tone === "good" ? system.fine : system.wrong(failed, warnings)}</p>
        </Notice>
      </div>
      <List checks={ORDER.flatMap(among)} />
      {skipped.length > 0 && (
        <details>
          <summary>{system.skipped(skipped.length)}</summary>
          <List checks={skipped} />
        </details>
      )}
    </Card>
  );
}

function List({ checks }: { readonly checks: readonly SystemCheck[] }): JSX.Element {
  const { system } = administrationWords.words();
  return (
    <ul class="system-checks">
      {checks.map(({ id, title, state, message, fix }) => (
        <li key={id}>
          <div>
            <Badge tone={TONES[state]}>{system.states[state]}</Badge>
          </div>
          <div lang="en">
            <strong>{title}</strong>
            <p>{message}</p>
            {fix !== null && state !== "ok" && <p class="soft">{fix}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}
