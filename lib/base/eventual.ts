/** A value that may be at hand already. The hot path never makes a promise for one that is. */
export type Eventual<Value> = Value | Promise<Value>;

export function isPromise<Value>(value: Eventual<Value>): value is Promise<Value> {
  return value instanceof Promise;
}

/**
 * Makes a value when it is first asked for, and never twice at a time; what failed is tried again when
 * asked again. Once there, the value is at hand.
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

/** `next(value)`, now if the value is at hand, else when it arrives. */
export function andThen<Value, Next>(
  value: Eventual<Value>,
  next: (value: Value) => Eventual<Next>,
): Eventual<Next> {
  return isPromise(value) ? value.then(next) : next(value);
}
