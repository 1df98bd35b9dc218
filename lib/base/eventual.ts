/** A value or a promise of it. The hot path creates no promise for a value that is ready. */
export type Eventual<Value> = Value | Promise<Value>;

export function isPromise<Value>(value: Eventual<Value>): value is Promise<Value> {
  return value instanceof Promise;
}

/**
 * Returns a function that calls `make` once, on first use, and shares the result. If `make` rejects, the next call tries
 * again. Once the promise has resolved, the value is returned without a promise.
 */
export function once<Value>(make: () => Eventual<Value>): () => Eventual<Value> {
  let made: { readonly value: Eventual<Value> } | undefined;
  return () => {
    if (made !== undefined) return made.value;
    const value = make();
    made = { value };
    if (isPromise(value)) {
      value.then(
        (settled) => {
          made = { value: settled };
        },
        () => {
          made = undefined;
        },
      );
    }
    return value;
  };
}

/** Returns `next(value)`, at once if the value is ready. */
export function andThen<Value, Next>(
  value: Eventual<Value>,
  next: (value: Value) => Eventual<Next>,
): Eventual<Next> {
  return isPromise(value) ? value.then(next) : next(value);
}

/** Runs the work on one name in order; work on different names runs at the same time. */
export function inTurn(): <Value>(name: string, work: () => Promise<Value>) => Promise<Value> {
  const last = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const before = last.get(name);
    // The caller of the earlier work receives its failure.
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
}
