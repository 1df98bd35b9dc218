/** What the height of a chart stands for. */
export interface Scale {
  /** What its upper edge is. */
  readonly top: number;
  /** Where the limit is drawn, as a share of the height; undefined where it lies above what is shown. */
  readonly limitAt: number | undefined;
}

/** A peak below this share of the limit is shown by itself: beside the limit it could not be told from nothing. */
const SMALL = 0.15;
const STEPS = [1, 2, 3, 4, 5, 6, 8, 10] as const;

/** A round number at the top, with room for the highest bar and, where that is near, the limit. */
export function scaleFor(peak: number, limit: number): Scale {
  const near = peak >= limit * SMALL;
  const top = roundUp(near ? Math.max(peak, limit * 1.1) : Math.max(peak * 1.1, 4));
  return { top, limitAt: near || limit <= top ? limit / top : undefined };
}

/** The next even number of the form 1, 2, 3, 4, 5, 6 or 8 times a power of ten: its half is a label as well. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = STEPS.find((one) => one * power >= value && (one * power) % 2 === 0) ?? 10;
  return step * power;
}
