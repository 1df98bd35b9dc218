import type { ManualClock } from "../../testing/clock.ts";

/** A received server-sent event or comment. */
export interface Heard {
  readonly id?: string;
  readonly event?: string;
  readonly data?: unknown;
  readonly comment?: string;
  readonly retry?: string;
}

/** Reads a stream of server-sent events block by block. */
export interface EventReader {
  /** Waits for the next block; undefined at the end of the stream. */
  next(): Promise<Heard | undefined>;
  /** Returns true if nothing else has arrived and all senders are asleep. */
  silent(): Promise<boolean>;
  leave(): Promise<void>;
}

export function readEvents(response: Response, clock: ManualClock): EventReader {
  if (response.body === null) throw new Error("The answer has no body.");
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let pending: Promise<boolean> | undefined;

  /** Reads one chunk; false at the end. */
  const more = (): Promise<boolean> => {
    pending ??= reader.read().then(({ done, value }) => {
      pending = undefined;
      if (done) return false;
      text += decoder.decode(value, { stream: true });
      return true;
    });
    return pending;
  };

  return {
    next: async () => {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end !== -1) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          return heard(block);
        }
        if (!(await more())) return undefined;
      }
    },
    silent: async () => {
      if (text !== "") return false;
      let came = false;
      void more().then(() => {
        came = true;
      });
      // A woken task may wait for something other than the clock: hashing runs on another thread.
      for (let turn = 0; turn < 20 || !(came || clock.sleeping > 0); turn++) await Bun.sleep(0);
      return !came;
    },
    leave: () => reader.cancel(),
  };
}

function heard(block: string): Heard {
  const fields: Record<string, unknown> = {};
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    fields[name === "" ? "comment" : name] = name === "data" ? JSON.parse(value) : value;
  }
  return fields;
}
