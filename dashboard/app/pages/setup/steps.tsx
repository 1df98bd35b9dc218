import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { Icon } from "../../components/icon.tsx";
import { setupWords } from "./words.ts";

const order = ["account", "purpose", "domain", "end"] as const;
export type Step = (typeof order)[number];

/** The steps of the wizard. */
export function Steps({ step }: { readonly step: Step }): JSX.Element {
  const { steps, stepOf } = setupWords.words();
  const now = order.indexOf(step);
  return (
    <ol class="wizard-steps" aria-label={stepOf(now + 1, order.length)}>
      {order.map((one, index) => (
        <li
          key={one}
          class={index < now ? "past" : ""}
          {...(index === now ? { "aria-current": "step" } : {})}
        >
          <span class="mark" aria-hidden="true">
            {index < now ? <Icon name="check" /> : index + 1}
          </span>
          <span>{steps[one]}</span>
        </li>
      ))}
    </ol>
  );
}

/** The heading of a step, which takes the focus. */
export function StepHead({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  return (
    <div class="stack tight">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children !== undefined && <p class="soft">{children}</p>}
    </div>
  );
}
