/** A question of one or more callers. */
interface Asked<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (failure: unknown) => void;
}

/**
 * Returns a function that joins the questions of concurrent callers. While one group is answered, later questions wait and
 * form the next group of at most `most` different keys: an answer is never older than its question.
 */
export function joinAsks<Key, Value>(
  most: number,
  answer: (keys: readonly Key[]) => Promise<(key: Key) => Value>,
): (key: Key) => Promise<Value> {
  let waiting = new Map<Key, Asked<Value>>();
  let answering = false;

  const work = async (): Promise<void> => {
    answering = true;
    while (waiting.size > 0) {
      const group = [...waiting].slice(0, most);
      waiting = new Map([...waiting].slice(most));
      try {
        const valueOf = await answer(group.map(([key]) => key));
        for (const [key, { resolve }] of group) resolve(valueOf(key));
      } catch (error) {
        for (const [, { reject }] of group) reject(error);
      }
    }
    answering = false;
  };

  return (key) => {
    let asked = waiting.get(key);
    if (asked === undefined) {
      asked = newQuestion();
      waiting.set(key, asked);
    }
    if (!answering) void work();
    return asked.promise;
  };
}

function newQuestion<Value>(): Asked<Value> {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (failure: unknown) => void = () => undefined;
  const promise = new Promise<Value>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}
