import type { JSX } from "preact";

import { Icon, type IconName } from "../../../components/icon.tsx";
import { domainWords } from "../../../words/domain-words.ts";
import type { StageState, Step } from "../progress.ts";

const ICONS: Readonly<Partial<Record<StageState, IconName>>> = { done: "check", stuck: "warn" };

/** The way to being live, and how far it has been gone. */
export function Steps({ steps }: { readonly steps: readonly Step[] }): JSX.Element {
  const { view } = domainWords.words();
  return (
    <ol class="steps" aria-label={view.progress}>
      {steps.map(({ stage, state }, index) => (
        <li
          key={stage}
          class={state}
          {...(state === "current" || state === "stuck" ? { "aria-current": "step" as const } : {})}
        >
          <span class="knot" aria-hidden="true">
            <Knot state={state} number={index + 1} />
          </span>
          <span>{view.stages[stage]}</span>
          <span class="out-of-sight">: {view.stageStates[state]}</span>
        </li>
      ))}
    </ol>
  );
}

function Knot({
  state,
  number,
}: {
  readonly state: StageState;
  readonly number: number;
}): JSX.Element {
  const icon = ICONS[state];
  if (icon !== undefined) return <Icon name={icon} />;
  return state === "current" ? <span class="spin" /> : <>{number}</>;
}
