import { sqlStateOf } from "../../lib/sql/postgres.ts";
import { StoreUnavailable, UnsuitableDatabase } from "../../lib/sql/sql.ts";
import { Connection, nameOf, type PostgresAccess } from "./connection.ts";
import { type Deadlines, LOOK_EVERY_MS, type PostgresServer } from "./deadlines.ts";

/** Opens connections to the server of a list that accepts writes, which is the primary. */
export class Primary {
  readonly #servers: readonly PostgresServer[];
  readonly #access: PostgresAccess;
  readonly #deadlines: Deadlines;
  /** The server of the last connection, by its index. It is tried first. */
  #last = 0;
  /** The timeline of the newest connection, known before that connection is used. */
  timeline: number = 0;

  constructor(servers: readonly PostgresServer[], access: PostgresAccess, deadlines: Deadlines) {
    this.#servers = servers;
    this.#access = access;
    this.#deadlines = deadlines;
  }

  /**
   * Tries the servers in turn. Rejects with `StoreUnavailable` or `UnsuitableDatabase`. An attempt is abandoned with the
   * statements of a quiet server, unless it is to find out whether the server answers.
   */
  async connect(mayAbandon: boolean = true): Promise<Connection> {
    const failures: StoreUnavailable[] = [];
    const first = this.#last;
    for (let turn = 0; turn < this.#servers.length; turn++) {
      const index = (first + turn) % this.#servers.length;
      const server = this.#servers[index];
      if (server === undefined) break;
      try {
        const connection = await Connection.open(server, this.#access, this.#deadlines, mayAbandon);
        if (index !== this.#last) this.#deadlines.abandonAll(server);
        this.#last = index;
        this.timeline = connection.timeline;
        return connection;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        failures.push(error);
      }
    }
    const unsuitable = failures.find((failure) => failure instanceof UnsuitableDatabase);
    if (unsuitable !== undefined) throw unsuitable;
    const [only, another] = failures;
    if (only !== undefined && another === undefined) throw only;
    const names = this.#servers.map(nameOf).join(", ");
    const reasons = failures.map(({ message }) => message).join(" ");
    throw new StoreUnavailable(`No database accepts writes on ${names}. ${reasons}`, {
      cause: failures.find(isFull) ?? only,
    });
  }
}

/** Returns whether a server has no connection left for us. */
function isFull(error: unknown): boolean {
  return error instanceof Error && (sqlStateOf(error) === "53300" || isFull(error.cause));
}

/** How long connections are not opened after a server had none left. */
const FULL_MS = 1_000;

interface Waiting {
  readonly resolve: (connection: Connection) => void;
  readonly reject: (failure: unknown) => void;
}

/** A question to a server that has not answered for a while. */
interface Ping {
  readonly askedAt: number;
  readonly answered: Promise<void>;
  ended: boolean;
}

/** A server that has not replied to any statement for so long may be unreachable. */
const QUIET_MS = 1_000;
/** Then, if it does not reply to a question for so long either, it is. */
const UNREACHABLE_MS = 2_000;

/** Connections, at most `most`. Each serves one caller at a time; callers wait in turn. */
export class Pool {
  readonly #primary: Primary;
  readonly #most: number;
  readonly #deadlines: Deadlines;
  readonly #patienceMs: number;
  readonly #idle: Connection[] = [];
  readonly #waiting = new Set<Waiting>();
  /** Connections that are open or being opened. */
  #count = 0;
  /** Until the server may have a connection left again. */
  #full: (() => void) | undefined;
  #closed = false;
  #ping: Ping | undefined;
  /** How often a quiet server was looked at without a reply to anything. */
  #askedTimes = 0;

  constructor(
    primary: Primary,
    {
      most,
      deadlines,
      patienceMs,
    }: {
      readonly most: number;
      readonly deadlines: Deadlines;
      readonly patienceMs: number;
    },
  ) {
    this.#primary = primary;
    this.#most = most;
    this.#deadlines = deadlines;
    this.#patienceMs = patienceMs;
    deadlines.whileWaiting = () => this.#listen();
  }

  /** Asks a quiet server, and ends the statements without a reply if it stays quiet. */
  #listen(): void {
    if (!this.quiet || this.#closed) {
      this.#askedTimes = 0;
      return;
    }
    this.hear().catch(() => undefined);
    // Counted, because a process that was paused has not heard what arrived meanwhile.
    if (++this.#askedTimes * LOOK_EVERY_MS > UNREACHABLE_MS) this.#deadlines.abandonAll();
  }

  /** True if the server has left all statements without a reply for a while. Then `acquire` asks it first. */
  get quiet(): boolean {
    return this.#deadlines.quietMs > QUIET_MS;
  }

  /** Returns an idle connection, if there is one and the server is not quiet. */
  take(): Connection | undefined {
    return this.quiet ? undefined : this.#takeIdle();
  }

  #takeIdle(): Connection | undefined {
    for (;;) {
      const connection = this.#idle.pop();
      if (connection === undefined || !connection.lost) return connection;
      this.#count--;
    }
  }

  /** Returns an idle connection, a new one, or the next that is released. */
  async acquire(): Promise<Connection> {
    if (this.#closed) throw new Error("The database is closed.");
    await this.hear();
    return this.take() ?? (this.#mayOpen() ? this.#open() : this.#wait());
  }

  /** Returns a new connection: the server may have ended the idle ones together with one that was lost. */
  async acquireNew(): Promise<Connection> {
    if (this.#closed) throw new Error("The database is closed.");
    await this.hear();
    if (this.#count >= this.#most) {
      const idle = this.#takeIdle();
      if (idle !== undefined) {
        this.#count--;
        idle.drop();
      }
    }
    return this.#mayOpen() ? this.#open() : this.acquire();
  }

  /** Asks a quiet server. Rejects with `StoreUnavailable` if it does not reply, long before the statements time out. */
  hear(): Promise<void> {
    if (!this.quiet) return Promise.resolve();
    if (this.#ping === undefined || this.#ping.ended) this.#ping = this.#startPing();
    const { answered, askedAt } = this.#ping;
    return new Promise((resolve, reject) => {
      const late = (): void => reject(new StoreUnavailable("The database does not answer."));
      const patienceMs = askedAt + QUIET_MS - this.#deadlines.now;
      if (patienceMs <= 0) {
        late();
        return;
      }
      const done = this.#deadlines.add(patienceMs, late);
      answered.then(resolve, reject).finally(done);
    });
  }

  #startPing(): Ping {
    const ask = async (): Promise<void> => {
      const idle = this.#takeIdle();
      if (idle === undefined) {
        await (await this.#primary.connect(false)).close();
        return;
      }
      try {
        await idle.run("SELECT 1", [], 0);
      } finally {
        this.release(idle);
      }
    };
    const answered = ask();
    const ping = { askedAt: this.#deadlines.now, answered, ended: false };
    const end = (): void => {
      ping.ended = true;
    };
    answered.then(end, end);
    return ping;
  }

  release(connection: Connection): void {
    if (connection.lost || this.#closed) {
      this.#count--;
      void connection.close();
      this.#openForWaiting();
      return;
    }
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#idle.push(connection);
      return;
    }
    this.#waiting.delete(next);
    next.resolve(connection);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#full?.();
    for (const { reject } of this.#waiting) reject(new Error("The database is closed."));
    this.#waiting.clear();
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
    // Drops connections that are still being opened, or wait for a reply.
    this.#deadlines.end();
  }

  async #open(): Promise<Connection> {
    this.#count++;
    try {
      return await this.#primary.connect();
    } catch (error) {
      this.#count--;
      const idle = this.take();
      if (idle !== undefined) return idle;
      if (isFull(error) && this.#count > 0) {
        this.#full ??= this.#deadlines.add(FULL_MS, () => {
          this.#full = undefined;
        });
        return this.#wait();
      }
      // The others would fail like this one, one after another.
      for (const { reject } of this.#waiting) reject(error);
      this.#waiting.clear();
      throw error;
    }
  }

  #mayOpen(): boolean {
    return this.#count === 0 || (this.#count < this.#most && this.#full === undefined);
  }

  #wait(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const waiting = {
        resolve: (connection: Connection) => {
          done();
          resolve(connection);
        },
        reject: (failure: unknown) => {
          done();
          reject(failure);
        },
      };
      const done = this.#deadlines.add(this.#patienceMs, () => {
        this.#waiting.delete(waiting);
        reject(new StoreUnavailable("All connections to the database are in use."));
      });
      this.#waiting.add(waiting);
    });
  }

  /** Replaces a lost connection for the next caller that waits. */
  #openForWaiting(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#closed || !this.#mayOpen()) return;
    this.#waiting.delete(next);
    this.#open().then(next.resolve, next.reject);
  }
}
