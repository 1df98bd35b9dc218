import type { Peer, Shared } from "./peer.ts";

/**
 * How a connection ends without losing a response: a client that is still sending when the connection is closed may not get
 * what is on its way. So the rest of a body is read and dropped, then our side is ended, and what arrives until the client
 * ends its own is dropped too. Each takes only so long.
 */
export class Ending {
  readonly #shared: Shared;
  readonly #peer: Peer;
  #deadline = Number.POSITIVE_INFINITY;
  /** We have ended our side, and wait for the client to close. */
  hasLeft = false;

  constructor(shared: Shared, peer: Peer) {
    this.#shared = shared;
    this.#peer = peer;
  }

  /** A head has begun. */
  expectHead(): void {
    this.#within(this.#shared.limits.headMs);
  }

  /** The client is waited for as long as the connection is not idle. */
  expectNothing(): void {
    this.#deadline = Number.POSITIVE_INFINITY;
  }

  /** The rest of a body is dropped. */
  drop(): void {
    const { stopping, limits } = this.#shared;
    const before = this.#deadline;
    this.#within(stopping() ? limits.stopDropMs : limits.dropMs);
    this.#deadline = Math.min(before, this.#deadline);
  }

  /** Ends our side. `fully`: the client has ended its own. */
  leave(fully: boolean): void {
    this.hasLeft = true;
    this.#within(this.#shared.limits.lingerMs);
    this.#peer.end(fully);
  }

  isLate(now: number): boolean {
    return now >= this.#deadline;
  }

  #within(ms: number): void {
    this.#deadline = this.#shared.now() + ms;
  }
}
