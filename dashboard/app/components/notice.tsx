import type { ComponentChildren, JSX } from "preact";

import type { Problem } from "../api.ts";
import { said } from "../words/said.ts";
import { words } from "../words/words.ts";
import { AWAY, Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

export type Tone = "good" | "warn" | "bad" | "plain";

const ICONS: Readonly<Record<Tone, IconName>> = {
  good: "check",
  warn: "warn",
  bad: "warn",
  plain: "info",
};

/** Something that has to be known here: colour, sign and words say the same. */
export function Notice({
  tone = "plain",
  children,
  live,
}: {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
  /** It came while somebody was looking: `alert` interrupts, `status` waits. */
  readonly live?: "alert" | "status";
}): JSX.Element {
  return (
    <div class={`notice ${tone}`} {...(live === undefined ? {} : { role: live })}>
      <Icon name={ICONS[tone]} />
      <div class="stack tight">{children}</div>
    </div>
  );
}

/** Why something could not be done: in the reader's words by its code, with a way to read on. */
export function Refusal({
  problem,
  onRetry,
}: {
  readonly problem: Problem | undefined;
  readonly onRetry?: () => void;
}): JSX.Element | null {
  if (problem === undefined) return null;
  const { common } = words();
  const text = said(problem);
  return (
    <Notice tone="bad" live="alert">
      <p>{text}</p>
      {text !== problem.message && (
        <p class="soft small" lang="en">
          {problem.message}
        </p>
      )}
      <p class="row">
        {onRetry !== undefined && (
          <Button small onClick={onRetry}>
            {common.retry}
          </Button>
        )}
        <a href={`/help/errors#${problem.code}`} {...AWAY}>
          {common.readOn}
        </a>
      </p>
    </Notice>
  );
}
