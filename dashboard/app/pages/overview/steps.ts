/** The first steps of a shelter, in order. */
const stepNames = ["animals", "site", "domain", "key"] as const;
export type StepName = (typeof stepNames)[number];

export interface Step {
  readonly name: StepName;
  readonly done: boolean;
  /** The first step that is not done. */
  readonly next: boolean;
}

/** Returns the steps: none when all are done, undefined until all of them are known. */
export function stepsOf(
  done: Readonly<Record<StepName, boolean | undefined>>,
): readonly Step[] | undefined {
  if (stepNames.some((name) => done[name] === undefined)) return undefined;
  const next = stepNames.find((name) => done[name] === false);
  if (next === undefined) return [];
  return stepNames.map((name) => ({ name, done: done[name] === true, next: name === next }));
}
