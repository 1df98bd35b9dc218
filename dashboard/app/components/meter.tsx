import type { JSX } from "preact";

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
