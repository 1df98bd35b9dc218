/** The outcome of something a sensible caller expects to be refused now and then. The broken world throws instead. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

export function done<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function refused<Failure>(failure: Failure): {
  readonly ok: false;
  readonly failure: Failure;
} {
  return { ok: false, failure };
}
