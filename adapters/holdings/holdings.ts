import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import type { Eventual } from "../../lib/base/eventual.ts";
import { aClock, aFunction, checkOptions, optional } from "../../lib/base/options.ts";
import type { Outflow, Turn } from "../hosts/node-response.ts";
import { deadlines, type Deadlines } from "./deadlines.ts";
import {
  GATHERED_BYTES,
  holdingLimitsFrom,
  holdingLimitsOption,
  type HoldingLimits,
} from "./limits.ts";
import { firstToClose, type Unfinished } from "./overload.ts";

/** Memory held for clients that have not completed their requests, or have not read their responses. */
export interface Holdings {
  /** Adds a connection. `cut` closes it. */
  open(cut: () => void): Holding;
  /** Bytes held for all connections. */
  readonly bytes: number;
  /** Stops the time limits. */
  close(): void;
}

/** Options of the limit on the memory that clients hold. */
export interface HoldingsOptions {
  /** `systemClock`, or a clock of your own. */
  readonly clock: Clock;
  /** Default: those of each member. */
  readonly limits?: Partial<HoldingLimits>;
  /**
   * Frees memory that is no longer used. Called after connections were closed because of the memory that they held: at once,
   * but a second time only after a second, or after a further 32 MiB were closed. Default: the runtime decides when.
   */
  readonly collect?: (() => void) | undefined;
}

/** Memory held for one connection. */
export interface Holding {
  /** Adds a request, by the sizes of its head and of the runtime's objects for it, and its response. */
  begin(headBytes: number, objectBytes?: number): RequestHolding;
  /** Sets how many bytes of a kind the connection holds outside of its requests. */
  set(kind: Kind, bytes: number): void;
  /** Starts a wait for the client and calls `cut` on timeout. Returns a function that ends the wait. */
  awaitClient(cut: () => void): () => void;
  /** The connection is closed: frees its bytes and resumes its waiting requests. */
  close(): void;
  readonly bytes: number;
}

/**
 * What a connection holds outside of its requests: input that has not arrived completely, the encrypted record that it is
 * part of, a body that the handler has not read, output that the other side has not taken, and the table of its header
 * fields.
 */
export type Kind = "arriving" | "sealed" | "body" | "unsent" | "table";

/** What a request and its response hold in memory. */
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

/**
 * Estimated size of the objects of `node:http2` for a request, besides its head. The first request of a connection is
 * not counted.
 */
const REQUEST_BYTES = 12 * 1_024;
/** Estimated size of a response that has not started. */
const EXPECTED_BYTES = 32 * 1_024;
/** Other responses of the connection stop waiting for a part that takes longer than this. */
const QUIET_MS = 50;

/** Memory is collected again after this time, or once connections were closed that held this much. */
const COLLECT_MS = SECOND_MS;
const COLLECT_BYTES = 32 * 1_024 * 1_024;

/**
 * Counts bytes per connection, of all listeners that share the holdings. Over TLS, reads response bodies of a
 * connection one part at a time, and none while its client has `maxUnreadBytes` left to read. Closes the connection
 * that holds the most when all together hold more than `maxHeldBytes`: a client that reads its responses holds little.
 * Unfinished input has a limit of its own, `maxUnfinishedBytes`, so that it cannot displace responses. Throws a
 * `TypeError` for invalid options.
 */
export function createHoldings(options: HoldingsOptions): Holdings {
  checkOptions("createHoldings", options, {
    clock: aClock,
    limits: optional(holdingLimitsOption),
    collect: optional(aFunction),
  });
  const { clock, collect = () => undefined } = options;
  const bounds = holdingLimitsFrom(options.limits);
  const accounts = new Set<Account>();
  const unfinished = new Set<Account>();
  let collectedAt = Number.NEGATIVE_INFINITY;
  /** Bytes held by connections that were closed since then. */
  let left = 0;
  const cutOff = (account: Account): void => {
    left += account.bytes;
    account.close();
    account.cut();
    // The difference is negative after the clock was set back.
    const recent = Math.abs(clock.now() - collectedAt) < COLLECT_MS;
    if (recent && left < COLLECT_BYTES) return;
    collectedAt = clock.now();
    left = 0;
    collect();
  };
  const pool: Pool = {
    bytes: 0,
    unfinished: 0,
    maxUnreadBytes: bounds.maxUnreadBytes,
    unread: deadlines<Unread>(clock, bounds.unreadMs, ({ cut }) => cut()),
    quiet: deadlines<Turn>(clock, QUIET_MS, (turn) => turn.end()),
    starting: deadlines<Account>(clock, QUIET_MS, (account) => account.expectNothing()),
    count: (account, bytes) => {
      account.bytes += bytes;
      pool.bytes += bytes;
      while (pool.bytes > bounds.maxHeldBytes) {
        const largest = largestOf(accounts);
        if (largest === undefined || largest.bytes === 0) return;
        cutOff(largest);
      }
    },
    arrive: (account, bytes) => {
      if (account.unfinished === 0) {
        account.since = clock.now();
        unfinished.add(account);
      }
      account.unfinished += bytes;
      pool.unfinished += bytes;
      if (account.unfinished === 0) unfinished.delete(account);
      while (pool.unfinished > bounds.maxUnfinishedBytes) {
        const first = firstToClose(unfinished, clock.now());
        if (first === undefined) return;
        cutOff(first);
      }
    },
    forget: (account) => {
      accounts.delete(account);
      unfinished.delete(account);
      pool.unfinished -= account.unfinished;
      pool.bytes -= account.bytes;
    },
  };
  return {
    open: (cut) => {
      const account = new Account(pool, cut);
      accounts.add(account);
      return account;
    },
    get bytes() {
      return pool.bytes;
    },
    close: () => {
      for (const waiting of [pool.unread, pool.quiet, pool.starting]) waiting.close();
    },
  };
}

interface Unread {
  readonly cut: () => void;
}

/** What all connections share. */
interface Pool {
  bytes: number;
  /** How many of them are unfinished input. */
  unfinished: number;
  readonly maxUnreadBytes: number;
  readonly unread: Deadlines<Unread>;
  readonly quiet: Deadlines<Turn>;
  /** Connections whose requests wait for responses to start. */
  readonly starting: Deadlines<Account>;
  count(account: Account, bytes: number): void;
  /** Counts unfinished input. */
  arrive(account: Account, bytes: number): void;
  forget(account: Account): void;
}

class Account implements Holding, Unfinished {
  readonly pool: Pool;
  readonly cut: () => void;
  bytes = 0;
  readonly kinds: Record<Kind, number> = { arriving: 0, sealed: 0, body: 0, unsent: 0, table: 0 };
  unfinished = 0;
  since = 0;
  /** Counts response parts only, and the limit of a connection applies to it. Otherwise nothing might ever be read. */
  unread = 0;
  /** Requests whose response may start at any moment. */
  expected = 0;
  /** Increases when they are no longer expected. */
  epoch = 0;
  requests = 0;
  closed = false;
  /** The response whose part is being read. */
  reading: Turn | undefined;
  /** Parts to read, and requests to start. */
  readonly waiting: (() => void)[] = [];
  readonly starting: (() => void)[] = [];

  constructor(pool: Pool, cut: () => void) {
    this.pool = pool;
    this.cut = cut;
  }

  begin(headBytes: number, objectBytes: number = REQUEST_BYTES): RequestHolding {
    return new HeldRequest(this, headBytes + (this.requests === 0 ? 0 : objectBytes));
  }

  set(kind: Kind, bytes: number): void {
    const more = bytes - this.kinds[kind];
    if (more === 0 || this.closed) return;
    this.kinds[kind] = bytes;
    this.pool.count(this, more);
    // The connection may have been closed for it.
    if (!this.closed && (kind === "arriving" || kind === "sealed")) this.pool.arrive(this, more);
  }

  awaitClient(cut: () => void): () => void {
    const waiting = { cut };
    this.pool.unread.begin(waiting);
    return () => this.pool.unread.end(waiting);
  }

  get mayStart(): boolean {
    return this.unread + this.expected * EXPECTED_BYTES < this.pool.maxUnreadBytes;
  }

  get mayRead(): boolean {
    return this.reading === undefined && this.unread < this.pool.maxUnreadBytes;
  }

  /** Continues responses in progress before it starts further ones. */
  next(): void {
    if (this.mayRead) {
      this.waiting.shift()?.();
      if (this.reading !== undefined && this.waiting.length > 0) {
        this.pool.quiet.begin(this.reading);
      }
    }
    while (this.starting.length > 0 && this.mayStart) this.starting.shift()?.();
    if (this.starting.length === 0) this.pool.starting.end(this);
  }

  /** Other requests stop waiting for responses that take their time. */
  expectNothing(): void {
    this.epoch++;
    this.expected = 0;
    this.next();
    if (this.starting.length > 0) this.pool.starting.begin(this);
  }

  turn(): Turn {
    const turn: Turn = {
      end: () => {
        if (this.reading !== turn) return;
        this.pool.quiet.end(turn);
        this.reading = undefined;
        this.next();
      },
    };
    this.reading = turn;
    return turn;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    const { pool } = this;
    pool.forget(this);
    pool.starting.end(this);
    this.bytes = 0;
    this.unfinished = 0;
    this.unread = 0;
    for (const go of this.starting.splice(0)) go();
    for (const go of this.waiting.splice(0)) go();
  }
}

class HeldRequest implements RequestHolding {
  readonly #account: Account;
  readonly #head: number;
  #gathered = 0;
  #parts = 0;
  #over = false;
  /** The epoch in which the response is expected. */
  #expected = -1;

  constructor(account: Account, head: number) {
    this.#account = account;
    this.#head = head;
    account.requests++;
    this.#count(head);
  }

  start(): Eventual<boolean> {
    const account = this.#account;
    if (account.closed) return false;
    if (account.mayStart) {
      this.#expect();
      return true;
    }
    if (account.starting.length === 0) account.pool.starting.begin(account);
    return new Promise((resolve) => {
      account.starting.push(() => {
        this.#expect();
        resolve(!account.closed);
      });
    });
  }

  turn(): Eventual<Turn> {
    const account = this.#account;
    const { reading, waiting, closed, pool } = account;
    if (account.mayRead || closed) return account.turn();
    if (reading !== undefined && waiting.length === 0) pool.quiet.begin(reading);
    return new Promise((resolve) => {
      waiting.push(() => resolve(account.turn()));
    });
  }

  hold(bytes: number): void {
    if (this.#over || this.#account.closed) return;
    this.#parts += bytes;
    this.#account.unread += bytes;
    this.#count(bytes);
    this.#started();
  }

  release(bytes: number): void {
    if (this.#over || this.#account.closed) return;
    this.#parts -= bytes;
    this.#account.unread -= bytes;
    this.#count(-bytes);
    this.#account.next();
  }

  awaitClient(cut: () => void): () => void {
    return this.#account.awaitClient(cut);
  }

  received(bytes: number): void {
    const more = Math.min(bytes, GATHERED_BYTES - this.#gathered);
    if (this.#over || more === 0) return;
    this.#gathered += more;
    this.#count(more);
  }

  end(): void {
    const account = this.#account;
    if (this.#over || account.closed) return;
    this.#over = true;
    account.requests--;
    account.unread -= this.#parts;
    this.#count(-(this.#head + this.#gathered + this.#parts));
    this.#started();
    account.next();
  }

  #expect(): void {
    const account = this.#account;
    if (account.closed) return;
    account.expected++;
    this.#expected = account.epoch;
  }

  /** The response has started, or never will. */
  #started(): void {
    const account = this.#account;
    if (this.#expected !== account.epoch) return;
    this.#expected = -1;
    account.expected--;
    if (account.starting.length > 0) account.next();
  }

  #count(bytes: number): void {
    if (!this.#account.closed) this.#account.pool.count(this.#account, bytes);
  }
}

function largestOf<Item extends { readonly bytes: number }>(all: Iterable<Item>): Item | undefined {
  let largest: Item | undefined;
  for (const one of all) if (largest === undefined || one.bytes > largest.bytes) largest = one;
  return largest;
}
