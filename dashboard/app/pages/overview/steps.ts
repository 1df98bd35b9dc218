/** What a shelter does from an empty account to animals on its own domain, in this order. */
export const stepNames = ["animals", "site", "key", "domain"] as const;
export type StepName = (typeof stepNames)[number];

export interface Step {
  readonly name: StepName;
  readonly done: boolean;
  /** The first that is not done: the one to take now. */
  readonly next: boolean;
}

/** How far an account is: none when all is done; undefined as long as not everything about it is known. */
export function stepsOf(
  known: Readonly<Record<StepName, boolean | undefined>>,
): readonly Step[] | undefined {
  if (stepNames.some((name) => known[name] === undefined)) return undefined;
  const next = stepNames.find((name) => known[name] === false);
  if (next === undefined) return [];
  return stepNames.map((name) => ({ name, done: known[name] === true, next: name === next }));
}
