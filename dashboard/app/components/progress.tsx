import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

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
