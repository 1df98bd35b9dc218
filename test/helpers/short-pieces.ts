/** Returns a body that sends `first` at once, if there is any, and then `bytes` one by one. */
export function inShortPieces(
  bytes: Uint8Array,
  first = new Uint8Array(),
): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent === 0 && first.length > 0) controller.enqueue(first);
      if (sent === bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(sent, ++sent));
    },
  });
}

/** Runs `work`. Resolves with its value, and with how many turns others had meanwhile. */
export async function countingTurns<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly turns: number }> {
  let [turns, ended] = [0, false];
  const count = (): void => {
    turns++;
    if (!ended) setImmediate(count);
  };
  setImmediate(count);
  const value = await work();
  ended = true;
  return { value, turns };
}
