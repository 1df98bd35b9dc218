/** The outcome of an operation that the caller can expect to be refused. Bugs and outages throw instead. */
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

/**
 * Runs `attempt` until it returns a result; undefined means that another writer was faster. Refuses with `busy` after
 * `most` attempts.
 */
export async function retried<Value, Failure>(
  most: number,
  busy: Failure,
  attempt: () => Promise<Result<Value, Failure> | undefined>,
): Promise<Result<Value, Failure>> {
  for (let count = 0; count < most; count++) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  return refused(busy);
}
