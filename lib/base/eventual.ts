/** A value that may be at hand already. The hot path never makes a promise for one that is. */
export type Eventual<Value> = Value | Promise<Value>;

export function isPromise<Value>(value: Eventual<Value>): value is Promise<Value> {
  return value instanceof Promise;
}

/** `next(value)`, now if the value is at hand, else when it arrives. */
export function andThen<Value, Next>(
  value: Eventual<Value>,
  next: (value: Value) => Eventual<Next>,
): Eventual<Next> {
  return isPromise(value) ? value.then(next) : next(value);
}
