import { StoreUnavailable } from "../lib/sql/sql.ts";
import {
  Connection,
  type Deadlines,
  nameOf,
  type PostgresAccess,
  type PostgresServer,
} from "./postgres-connection.ts";

/** Opens connections to the server of a list that accepts writes, which is the primary. */
export class Primary {
  readonly #servers: readonly PostgresServer[];
  readonly #access: PostgresAccess;
  readonly #deadlines: Deadlines;
  /** The server of the last connection, by its index. It is tried first. */
  #last = 0;

  constructor(servers: readonly PostgresServer[], access: PostgresAccess, deadlines: Deadlines) {
    this.#servers = servers;
    this.#access = access;
    this.#deadlines = deadlines;
  }

  /** Tries the servers in turn. Rejects with `StoreUnavailable` or `UnsuitableDatabase`. */
  async connect(): Promise<Connection> {
    const reasons: string[] = [];
    const first = this.#last;
    for (let turn = 0; turn < this.#servers.length; turn++) {
      const index = (first + turn) % this.#servers.length;
      const server = this.#servers[index];
      if (server === undefined) break;
      try {
        const connection = await Connection.open(server, this.#access, this.#deadlines);
        this.#last = index;
        return connection;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        reasons.push(error.message);
      }
    }
    const names = this.#servers.map(nameOf).join(", ");
    throw new StoreUnavailable(`No database accepts writes on ${names}. ${reasons.join(" ")}`);
  }
}

interface Waiting {
  readonly resolve: (connection: Connection) => void;
  readonly reject: (failure: unknown) => void;
}

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
  #closed = false;

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
  }

  /** Returns an idle connection, if there is one. */
  take(): Connection | undefined {
    for (;;) {
      const connection = this.#idle.pop();
      if (connection === undefined || !connection.lost) return connection;
      this.#count--;
    }
  }

  /** Returns an idle connection, a new one, or the next that is released. */
  async acquire(): Promise<Connection> {
    if (this.#closed) throw new Error("The database is closed.");
    return this.take() ?? (this.#count < this.#most ? this.#open() : this.#wait());
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
    for (const { reject } of this.#waiting) reject(new Error("The database is closed."));
    this.#waiting.clear();
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  async #open(): Promise<Connection> {
    this.#count++;
    try {
      return await this.#primary.connect();
    } catch (error) {
      this.#count--;
      // The others would fail like this one, one after another.
      for (const { reject } of this.#waiting) reject(error);
      this.#waiting.clear();
      throw error;
    }
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
    if (next === undefined || this.#closed || this.#count >= this.#most) return;
    this.#waiting.delete(next);
    this.#open().then(next.resolve, next.reject);
  }
}
