import { MINUTE_MS, type Clock } from "../base/clock.ts";
import { once } from "../base/eventual.ts";
import { randomBase62, type Random } from "../base/id.ts";
import { withoutUndefined } from "../base/without-undefined.ts";
import { system } from "../model/actor.ts";
import type { Environment } from "../model/account.ts";
import type { Store } from "../storage/store.ts";
import { BEGINNING, MAX_HANDLER_MS, type EventPosition } from "./on.ts";
import type { Timed } from "./timed.ts";

/** Where the position of a handler is kept. */
export interface Place {
  /** Returns the kept position; undefined if there is none. */
  read(): Promise<number | undefined>;
  /** Keeps the first position. Returns the kept one: another process may have been faster. */
  begin(seq: number): Promise<number>;
  /**
   * Lets this process alone deliver for `ms`, unless the kept position is beyond `seq`. Returns the kept position; undefined if
   * another process delivers.
   */
  claim(seq: number, ms: number): Promise<number | undefined>;
  /** How long this process still delivers alone, in milliseconds. */
  left(): number;
  /**
   * Keeps a position, and lets this process alone deliver for `ms`; 0: others may. Returns false if another one delivers.
   * `state` says what this process does next. Default: nothing that began before.
   */
  keep(seq: number, ms: number, state?: PlaceState): Promise<boolean>;
  /**
   * Returns true if a process ended while it handled events. Until the batch is over, the position is kept after each event, so
   * that the next end tells which event it was.
   */
  isCareful(): boolean;
  /** Returns how many processes have ended while they handled the event after the position; 0 if this was reported before. */
  endings(): number;
}

/** `handling`: the next event is handled. `waiting`: it is handled again later. */
export type PlaceState = "handling" | "waiting";

/** The position is kept nowhere. */
export const nowhere: Place = {
  read: async () => undefined,
  begin: async (seq) => seq,
  claim: async (seq) => seq,
  left: () => Infinity,
  keep: async () => true,
  isCareful: () => false,
  endings: () => 0,
};

/** The position is kept by the host. */
export function hostPlace(position: EventPosition, timed: Timed): Place {
  let saved: number | undefined;
  const save = async (seq: number): Promise<void> => {
    if (seq === saved || seq === BEGINNING) return;
    await timed(() => position.save(seq));
    saved = seq;
  };
  return {
    ...nowhere,
    read: async () => {
      const seq = await timed(() => position.load());
      // A database of the host may return null for a missing row.
      if (seq === undefined || seq === null) return undefined;
      if (typeof seq === "number" && Number.isSafeInteger(seq) && seq >= 0) return seq;
      throw new TypeError("events.on: position.load() must return the seq of an event.");
    },
    begin: async (seq) => {
      await save(seq);
      return seq;
    },
    keep: async (seq) => {
      await save(seq);
      return true;
    },
  };
}

/** What is stored for a consumer. */
interface Kept {
  readonly seq: number;
  /** The process that delivers, and until when. Absent: any may. */
  readonly by?: string;
  readonly until?: number;
  /** Whether it handles events now. If its turn ends so, the process ended. */
  readonly busy?: true;
  /** How many processes ended with the event after `seq`. Absent: none ended since the last batch. */
  readonly endings?: number;
}

/** Longer than any process delivers without saving: after a change of the clock, the end of a turn may seem far away. */
const LONGEST_TURN_MS: number = MAX_HANDLER_MS + 10 * MINUTE_MS;

/** Keeps the position of a consumer in the settings of the store, with the process that delivers. */
export function storedPlace(
  {
    store,
    clock,
    random,
  }: { readonly store: Store; readonly clock: Clock; readonly random: Random },
  environment: Environment,
  consumer: string,
): Place {
  const name = `events ${environment} ${consumer}`;
  // No random number is drawn before the first delivery.
  const own = once(() => randomBase62(random, 12));
  /** The setting as this process last read or wrote it. */
  let text: string | undefined;
  let last: Kept | undefined;
  let until = -Infinity;
  /** Ends of processes that the consumer does not know yet. */
  let unreported = 0;

  const look = async (): Promise<Kept | undefined> => {
    text = await store.settings.get(name);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this file writes it
    last = text === undefined ? undefined : (JSON.parse(text) as Kept);
    return last;
  };
  const replace = async (kept: Kept): Promise<boolean> => {
    const value = JSON.stringify(kept);
    const change = { kind: "setting.replace", name, from: text, value } as const;
    const replaced = await store.commit([change], system);
    if (replaced.ok) {
      text = value;
      last = kept;
      until = kept.until ?? -Infinity;
    }
    return replaced.ok;
  };
  const turn = async (ms: number): Promise<Pick<Kept, "by" | "until">> =>
    ms <= 0 ? {} : { by: await own(), until: clock.now() + ms };

  return {
    read: async () => (await look())?.seq,
    begin: async (seq) => {
      text = undefined;
      return (await replace({ seq })) ? seq : ((await look())?.seq ?? seq);
    },
    claim: async (seq, ms) => {
      const kept = await look();
      if (kept !== undefined && kept.seq > seq) return kept.seq;
      const left = (kept?.until ?? -Infinity) - clock.now();
      const isOwn = kept?.by === (await own());
      if (!isOwn && left > 0 && left <= LONGEST_TURN_MS) return undefined;
      const position = kept?.seq ?? seq;
      const ended = !isOwn && kept?.busy === true;
      // The first end does not tell which event of the batch it was.
      const endings = ended ? (kept.endings ?? -1) + 1 : kept?.endings;
      const claimed = { seq: position, ...(await turn(ms)), busy: true } as const;
      if (!(await replace({ ...claimed, ...withoutUndefined({ endings }) }))) return undefined;
      if (ended) unreported = endings ?? 0;
      return position;
    },
    left: () => until - clock.now(),
    keep: async (seq, ms, state) => {
      const here = seq === last?.seq ? last.endings : undefined;
      const careful = state === "handling" && last?.endings !== undefined ? 0 : undefined;
      const endings = state === undefined ? undefined : (here ?? careful);
      const busy = state === "handling" ? true : undefined;
      return replace({ seq, ...(await turn(ms)), ...withoutUndefined({ busy, endings }) });
    },
    isCareful: () => last?.endings !== undefined,
    endings: () => {
      const count = unreported;
      unreported = 0;
      return count;
    },
  };
}
