import type { ComponentChildren, JSX } from "preact";
import type { Tone } from "./feedback.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { useId } from "preact/hooks";

interface BadgeLook {
  readonly tone?: Tone | "accent";
  readonly icon?: IconName;
}

/** How a badge looks in each state. */
export type BadgeLooks<State extends string> = Readonly<Record<State, BadgeLook>>;

/** A state in a word or two. */
export function Badge({
  tone = "plain",
  icon,
  children,
}: BadgeLook & { readonly children: ComponentChildren }): JSX.Element {
  return (
    <span class={`badge ${tone}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </span>
  );
}

/** How much of something is used up; from four fifths on it warns. */
export function Meter({
  value,
  max,
  label,
}: {
  readonly value: number;
  readonly max: number;
  readonly label: string;
}): JSX.Element {
  const share = max <= 0 ? 1 : Math.min(1, value / max);
  const tone = share >= 1 ? "bad" : share >= 0.8 ? "warn" : "";
  return (
    <div
      class={`meter ${tone}`}
      role="meter"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={max}
    >
      <span style={{ width: `${share * 100}%` }} />
    </div>
  );
}

/** How far something has come that takes its time. */
export function Progress({
  label,
  children,
  done,
  total,
}: {
  /** What is going on; said aloud when it changes. */
  readonly label: string;
  /** How far, in words. */
  readonly children?: ComponentChildren;
  /** Absent: nobody knows how much there is. */
  readonly done?: number;
  readonly total?: number;
}): JSX.Element {
  const id = useId();
  const known = done !== undefined && total !== undefined && total > 0;
  return (
    <div class="stack tight">
      <div class="row apart">
        <span id={id} role="status">
          {label}
        </span>
        <span class="soft small">{children}</span>
      </div>
      <progress aria-labelledby={id} {...(known ? { value: done / total, max: 1 } : {})} />
    </div>
  );
}
