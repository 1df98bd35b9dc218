/** How many rows bulk work, such as an import, writes in one commit while no other requests arrive. */
export const MOST_ROWS = 500;
/** The same while others wait for each commit. Fewer would not shorten it much: a commit costs as much as thirty rows. */
export const FEW_ROWS = 25;
/** If two requests arrived in the last so many milliseconds, more are expected. One may belong to the bulk work. */
const LATELY_MS = 5_000;

/**
 * Tells bulk work how much to write at once. A commit blocks the event loop, so its size is what other requests wait for.
 */
export class Traffic {
  #last = Number.NEGATIVE_INFINITY;
  #beforeLast = Number.NEGATIVE_INFINITY;

  /** Records a request, other than those of bulk work. */
  arrived(now: number): void {
    this.#beforeLast = this.#last;
    this.#last = now;
  }

  /** Returns the most rows for the next commit. At least one, so that the work always ends. */
  rowsAtOnce(now: number): number {
    const since = now - this.#beforeLast;
    // Negative if the clock was set back.
    return since >= 0 && since < LATELY_MS ? FEW_ROWS : MOST_ROWS;
  }
}
