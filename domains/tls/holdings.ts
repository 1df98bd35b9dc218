import type { Clock } from "../../lib/base/clock.ts";
import type { Eventual } from "../../lib/base/eventual.ts";
import type { Outflow, Turn } from "../../adapters/node-response.ts";
import { deadlines } from "./deadlines.ts";
import type { TlsLimits } from "./limits.ts";

/** Memory held for clients that have not read their responses. */
export interface Holdings {
  /** Adds a connection. `cut` closes it. */
  open(cut: () => void): Holding;
  /** Bytes held for all connections. */
  readonly bytes: number;
  close(): void;
}

/** Memory held for one connection. */
export interface Holding {
  /** Adds a request, by the size of its head, and its response. */
  begin(headBytes: number): RequestHolding;
  /** The connection is closed: frees its bytes and resumes its waiting requests. */
  close(): void;
  readonly bytes: number;
}

export interface RequestHolding extends Outflow {
  /**
   * Waits until a request without a body may be processed, so that a client that reads nothing costs nothing more.
   * Resolves with false if the connection was closed meanwhile.
   */
  start(): Eventual<boolean>;
  /** Adds bytes of the request body that the handler received. */
  received(bytes: number): void;
  /** The response is complete or abandoned. */
  end(): void;
}

type Bounds = Pick<TlsLimits, "maxUnreadBytes" | "maxHeldBytes" | "unreadMs">;

/**
 * Estimated size of the runtime's objects for a request, besides its head. The first request of a connection is not
 * counted.
 */
const REQUEST_BYTES = 12 * 1_024;
/** A handler that buffers a body accepts no more than this. */
const GATHERED_BYTES = 64 * 1_024;
/** Estimated size of a response that has not started. */
const EXPECTED_BYTES = 32 * 1_024;
/** Other responses of the connection stop waiting for a part that takes longer than this. */
const QUIET_MS = 50;

/**
 * Counts bytes per connection. Reads response bodies of a connection one part at a time, and none while its client has
 * `maxUnreadBytes` left to read. Closes the connection that holds the most when all together hold more than
 * `maxHeldBytes`: a client that reads its responses holds little.
 */
export function createHoldings(clock: Clock, bounds: Bounds): Holdings {
  const all = new Set<Account>();
  let total = 0;
  const unread = deadlines<{ readonly cut: () => void }>(clock, bounds.unreadMs, ({ cut }) =>
    cut(),
  );
  const quiet = deadlines<Turn>(clock, QUIET_MS, (turn) => turn.end());
  const starting = deadlines<Turn>(clock, QUIET_MS, (turn) => turn.end());

  /**
   * `unread`, which the limit of a connection applies to, counts response parts only. Otherwise nothing might ever be
   * read.
   */
  interface Account {
    bytes: number;
    unread: number;
    /** Bytes of responses that have not started. */
    expected: number;
    requests: number;
    /** The response whose part is being read. */
    reading: Turn | undefined;
    closed: boolean;
    /** Parts to read, and requests to start. */
    readonly waiting: (() => void)[];
    readonly starting: (() => void)[];
    readonly cut: () => void;
  }

  const count = (account: Account, bytes: number): void => {
    if (account.closed) return;
    account.bytes += bytes;
    total += bytes;
    while (total > bounds.maxHeldBytes) {
      const largest = largestOf(all);
      if (largest === undefined || largest.bytes === 0) return;
      close(largest);
      largest.cut();
    }
  };

  /** Continues responses in progress before it starts further ones. */
  const next = (account: Account): void => {
    if (account.unread < bounds.maxUnreadBytes && account.reading === undefined) {
      account.waiting.shift()?.();
      if (account.reading !== undefined && account.waiting.length > 0) quiet.begin(account.reading);
    }
    while (account.unread + account.expected < bounds.maxUnreadBytes) {
      const go = account.starting.shift();
      if (go === undefined) return;
      go();
    }
  };

  const close = (account: Account): void => {
    if (account.closed) return;
    account.closed = true;
    all.delete(account);
    total -= account.bytes;
    account.bytes = 0;
    account.unread = 0;
    for (const go of account.starting.splice(0)) go();
    for (const go of account.waiting.splice(0)) go();
  };

  const turnOf = (account: Account): Turn => {
    const turn: Turn = {
      end: () => {
        if (account.reading !== turn) return;
        quiet.end(turn);
        account.reading = undefined;
        next(account);
      },
    };
    account.reading = turn;
    return turn;
  };

  return {
    open: (cut) => {
      const account: Account = {
        bytes: 0,
        unread: 0,
        expected: 0,
        requests: 0,
        reading: undefined,
        closed: false,
        waiting: [],
        starting: [],
        cut,
      };
      all.add(account);
      return {
        begin: (headBytes) => beginOn(account, headBytes),
        close: () => close(account),
        get bytes() {
          return account.bytes;
        },
      };
    },
    get bytes() {
      return total;
    },
    close: () => {
      for (const one of [quiet, starting]) one.close();
      unread.close();
    },
  };

  function beginOn(account: Account, headBytes: number): RequestHolding {
    let gathered = 0;
    let parts = 0;
    let over = false;
    const request = headBytes + (account.requests === 0 ? 0 : REQUEST_BYTES);
    account.requests++;
    let expected: Turn | undefined;
    const expect = (): void => {
      if (account.closed) return;
      account.expected += EXPECTED_BYTES;
      const expectation: Turn = {
        end: () => {
          if (expected === undefined || account.closed) return;
          expected = undefined;
          starting.end(expectation);
          account.expected -= EXPECTED_BYTES;
          next(account);
        },
      };
      expected = expectation;
      starting.begin(expectation);
    };
    count(account, request);
    return {
      start: () => {
        const { closed, unread: held, expected: more } = account;
        if (closed) return false;
        if (held + more < bounds.maxUnreadBytes) {
          expect();
          return true;
        }
        return new Promise((resolve) => {
          account.starting.push(() => {
            expect();
            resolve(!account.closed);
          });
        });
      },
      turn: () => {
        const { reading, closed, unread: held, waiting } = account;
        const free = reading === undefined && held < bounds.maxUnreadBytes;
        if (free || closed) return turnOf(account);
        if (reading !== undefined && waiting.length === 0) quiet.begin(reading);
        return new Promise((resolve) => {
          waiting.push(() => resolve(turnOf(account)));
        });
      },
      hold: (bytes) => {
        if (over || account.closed) return;
        parts += bytes;
        account.unread += bytes;
        expected?.end();
        count(account, bytes);
      },
      release: (bytes) => {
        if (over || account.closed) return;
        parts -= bytes;
        account.unread -= bytes;
        count(account, -bytes);
        next(account);
      },
      awaitClient: (cut) => {
        const waiting = { cut };
        unread.begin(waiting);
        return () => unread.end(waiting);
      },
      received: (bytes) => {
        const more = Math.min(bytes, GATHERED_BYTES - gathered);
        if (over || more === 0) return;
        gathered += more;
        count(account, more);
      },
      end: () => {
        if (over || account.closed) return;
        expected?.end();
        over = true;
        account.requests--;
        account.unread -= parts;
        count(account, -(request + gathered + parts));
        next(account);
      },
    };
  }
}

function largestOf<Item extends { readonly bytes: number }>(all: Iterable<Item>): Item | undefined {
  let largest: Item | undefined;
  for (const one of all) if (largest === undefined || one.bytes > largest.bytes) largest = one;
  return largest;
}
