import type { Clock } from "../../lib/base/clock.ts";
import type { Eventual } from "../../lib/base/eventual.ts";
import type { Outflow, Turn } from "../../adapters/node-response.ts";
import { deadlines } from "./deadlines.ts";
import type { TlsLimits } from "./limits.ts";

/** What the connections hold in memory for clients that have not taken it yet. */
export interface Holdings {
  /** For a connection that `cut` breaks off. */
  open(cut: () => void): Holding;
  /** Bytes of all connections. */
  readonly bytes: number;
  close(): void;
}

/** The part of one connection. */
export interface Holding {
  /** For a request whose head has that many bytes, and its answer. */
  begin(headBytes: number): RequestHolding;
  /** The connection is closed: it holds nothing, and waits for nothing. */
  close(): void;
  readonly bytes: number;
}

export interface RequestHolding extends Outflow {
  /**
   * To be waited for before a request without a body is answered: those of a client that takes nothing stay what they
   * are, and cost no answer. False when the connection was closed meanwhile, and nobody is left to answer.
   */
  start(): Eventual<boolean>;
  /** Bytes of the request's body that were handed on. */
  received(bytes: number): void;
  /** The answer is complete, or given up. */
  end(): void;
}

type Bounds = Pick<TlsLimits, "maxUnreadBytes" | "maxHeldBytes" | "unreadMs">;

/** What a request costs beside its head, about: the objects of the runtime. The only one of a connection is free. */
const REQUEST_BYTES = 12 * 1_024;
/** No handler gathers more of a body without reading it as a stream. */
const GATHERED_BYTES = 64 * 1_024;
/** What an answer that has not begun is reckoned at. */
const EXPECTED_BYTES = 32 * 1_024;
/** A part that takes longer than this is not at hand, and others of its connection need not wait for it. */
const QUIET_MS = 50;

/**
 * Counts bytes by connection. Of one connection the bodies are read one part at a time, and none while its client has
 * `maxUnreadBytes` yet to take. When all together hold more than `maxHeldBytes`, the connection that holds the most is
 * cut off: one that reads its answers holds little.
 */
export function createHoldings(clock: Clock, bounds: Bounds): Holdings {
  const all = new Set<Account>();
  let total = 0;
  const unread = deadlines<{ readonly cut: () => void }>(clock, bounds.unreadMs, ({ cut }) =>
    cut(),
  );
  const quiet = deadlines<Turn>(clock, QUIET_MS, (turn) => turn.end());
  const starting = deadlines<Turn>(clock, QUIET_MS, (turn) => turn.end());

  /** `unread` counts towards the bound of the connection: parts of answers alone, lest nothing is ever read. */
  interface Account {
    bytes: number;
    unread: number;
    /** Of answers that have not begun. */
    expected: number;
    requests: number;
    /** Whose turn it is. */
    reading: Turn | undefined;
    closed: boolean;
    /** Parts to read, and requests to begin with. */
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

  /** Parts of answers that have begun come before further ones. */
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
      taking: (cut) => {
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
