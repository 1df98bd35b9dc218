/**
 * A counter in a step: its name, whether it survives a crash (1 or 0), and the length in milliseconds and the limit of each
 * window. The second length is 0 if it has one window.
 */
export type StepCounter = readonly [
  name: string,
  saved: 0 | 1,
  lengthMs: number,
  limit: number,
  secondLengthMs: number,
  secondLimit: number,
];

/**
 * Charges each counter `times` requests, as many as all of them allow; 0 only reads. Refusals are violations of the
 * `offender`, unless its name is empty.
 */
export type SpendStep = readonly [
  "spend",
  times: number,
  offender: string,
  threshold: number,
  ...StepCounter[],
];

/** Refunds a request to the windows that began at `startAt`, of each counter. */
export type RefundStep = readonly [
  "refund",
  ...(readonly [name: string, startAt: number, secondStartAt: number])[],
];

/** Clears the violations of an offender. */
export type ClearStep = readonly ["clear", offender: string];

/** A step on counters: a request is counted, refunded, or all is cleared. */
export type CounterStep = SpendStep | RefundStep | ClearStep;

/** `startAt`, `used` and `peak` of a counter's windows: three numbers or six. */
export type WindowNumbers = readonly number[];

/** The windows are as they were before the step. `abusive` is the number of the refusal that should ban, from 1; or 0. */
export type SpendOutcome = readonly [granted: number, abusive: number, ...WindowNumbers[]];

/** What applied steps have resulted in. Instants are in milliseconds. */
export interface Applied {
  /** When the steps were applied, by the clock that all processes share. */
  readonly at: number;
  /** The outcomes by step; 0 for a refund or a clear. */
  readonly outcomes: readonly (SpendOutcome | 0)[];
}

/** Counters that several processes share. They follow the rules of `Limiter`. */
export interface SharedCounters {
  /** Applies the steps in order, with no other process between them. Rejects with `StoreUnavailable`. */
  apply(steps: readonly CounterStep[]): Promise<Applied>;
}
