import type { Clock } from "../../lib/base/clock.ts";

/** A server of the list. */
export interface PostgresServer {
  readonly host: string;
  readonly port: number;
  /** The directory of its socket, instead of host and port. */
  readonly socket?: string;
}

/** Ends a statement, unless the server that replaces others is its own. */
type Abandon = (successor: PostgresServer | undefined) => void;

export const LOOK_EVERY_MS = 250;

/**
 * Calls back when the time of a pending operation is over, accurate to a quarter of a second, and knows for how long the
 * server has left all statements without a reply.
 */
export class Deadlines {
  readonly #clock: Clock;
  /** What abandons each statement without a reply. */
  readonly #asked = new Set<Abandon>();
  /** When the oldest statement without a reply was sent, or the last reply came; undefined if all have replies. */
  #quietSince: number | undefined;
  /** Whether a server ever replied. Before, it may just be slow to accept connections. */
  #heard = false;
  readonly #pending = new Set<{ readonly at: number; readonly late: () => void }>();
  #watching = false;
  /** Called several times a second while statements wait for a reply. */
  whileWaiting: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get now(): number {
    return this.#clock.now();
  }

  /** 0 if the server has replied to all statements. One that it never replied to counts until it replies to another. */
  get quietMs(): number {
    return this.#quietSince === undefined ? 0 : this.#clock.now() - this.#quietSince;
  }

  /** Counts a statement, which `abandon` ends. Returns a function to call once: with its reply, or without one. */
  ask(abandon: Abandon): (replied: boolean) => void {
    this.#asked.add(abandon);
    this.#quietSince ??= this.#clock.now();
    return (replied) => {
      this.#asked.delete(abandon);
      this.#heard ||= replied;
      if (replied) this.#quietSince = this.#asked.size === 0 ? undefined : this.#clock.now();
    };
  }

  /** Ends all statements without a reply, because the server cannot be reached, or because another one took its place. */
  abandonAll(successor?: PostgresServer): void {
    if (this.#heard) for (const abandon of [...this.#asked]) abandon(successor);
  }

  /** Returns a function that ends the wait. */
  add(ms: number, late: () => void): () => void {
    const one = { at: this.#clock.now() + ms, late };
    this.#pending.add(one);
    if (!this.#watching) void this.#watch();
    return () => void this.#pending.delete(one);
  }

  /** Ends every wait as if its time were over, so that none keeps the process alive. */
  end(): void {
    for (const one of this.#pending) {
      this.#pending.delete(one);
      one.late();
    }
  }

  async #watch(): Promise<void> {
    this.#watching = true;
    while (this.#pending.size > 0) {
      await this.#clock.sleep(LOOK_EVERY_MS);
      const now = this.#clock.now();
      for (const one of this.#pending) {
        if (one.at > now) continue;
        this.#pending.delete(one);
        one.late();
      }
      if (this.#asked.size > 0) this.whileWaiting();
    }
    this.#watching = false;
  }
}
