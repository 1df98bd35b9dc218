/** A body in short pieces, and how it is read. */
export interface ShortPieces {
  readonly body: ReadableStream<Uint8Array>;
  /** Ends the count of the turns of the event loop in which pieces were read, and of the most pieces in one. */
  readonly counted: () => { readonly turns: number; readonly most: number };
}

/** Returns a body that sends `bytes` one by one, as fast as it is read. */
export function inShortPieces(bytes: Uint8Array): ShortPieces {
  let [sent, inTurn, turns, most, ended] = [0, 0, 0, 0, false];
  const begin = (): void => {
    inTurn = 0;
    if (!ended) setImmediate(begin);
  };
  begin();
  return {
    body: new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (inTurn++ === 0) turns++;
        most = Math.max(most, inTurn);
        if (sent === bytes.length) controller.close();
        else controller.enqueue(bytes.subarray(sent, ++sent));
      },
    }),
    counted: () => {
      ended = true;
      return { turns, most };
    },
  };
}
