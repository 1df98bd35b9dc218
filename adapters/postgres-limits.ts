import type { Applied, CounterStep } from "../lib/accounts/shared-counters.ts";
import { SECOND_MS, type Clock } from "../lib/base/clock.ts";
import { inTurn } from "../lib/base/eventual.ts";
import { failureOf } from "../lib/sql/postgres.ts";
import type { SqlRow, SqlValue } from "../lib/sql/sql.ts";
import type { SavedCounter } from "../lib/storage/change.ts";
import type { Connection } from "./postgres-connection.ts";
import { locks } from "./postgres-lanes.ts";

// Counters are rows of an unlogged table: the database writes no log for them, and empties the table after a crash or on a
// standby that becomes the primary. Changed counters are therefore copied to the table `counters`, from which the empty one
// is filled before the next decision. The functions carry a version, so that nodes of two versions can share a database.

/** Which side counts for all nodes. The two moves begin with the side that counted before stopped. */
export interface Standing {
  readonly side: "postgres" | "to-redis" | "redis" | "to-postgres";
  /** Increases with each change but the last of a move to Redis. */
  readonly epoch: number;
  /** Identifies the run of the Redis server. */
  readonly run: string;
  /** Time since the last change. */
  readonly ageMs: number;
  /** How long PostgreSQL should count before the next move to Redis. Grows when Redis fails soon after a move. */
  readonly pauseMs: number;
}

/** A counter as a node last saw it elsewhere. */
export interface SeenCounter {
  readonly name: string;
  readonly saved: 0 | 1;
  readonly endsAt: number;
  readonly numbers: readonly number[];
}

/** The counters of all processes on a PostgreSQL database, by the database's clock. All reject with `StoreUnavailable`. */
export interface PostgresCounters {
  /** Creates the tables and the functions. The tables of the store must exist. */
  setUp(): Promise<void>;
  /** Applies the steps in order, with no other process between them, if PostgreSQL counts; else returns the standing. */
  applyOr(steps: readonly CounterStep[]): Promise<Applied | Standing>;
  standing(): Promise<Standing>;
  /** Changes the standing if it is still `from`; else returns undefined. Durable once it resolves. */
  move(from: Standing, to: Standing["side"], run: string): Promise<Standing | undefined>;
  /** Returns all counters that have not ended. */
  counters(): Promise<{ readonly counters: readonly SavedCounter[]; readonly at: number }>;
  /** Adds counters; of two with the same window, the one that counts more remains. */
  seed(counters: readonly SeenCounter[]): Promise<void>;
  /** Copies the changed counters, so that a crash of the database does not forget them, and deletes ended ones. */
  save(): Promise<void>;
}

/** How long a call may take. */
const PATIENCE_MS: number = 2 * SECOND_MS;

/** Counts over one connection, which `connect` opens when it is needed. */
export function postgresCounters({
  connect,
  hear,
  clock,
}: {
  readonly connect: () => Promise<Connection>;
  /** Rejects soon if the server does not answer. */
  readonly hear: () => Promise<void>;
  /** Default: the database's. */
  readonly clock?: Pick<Clock, "now">;
}): PostgresCounters & { close(): Promise<void> } {
  const turns = inTurn();
  let open: Connection | undefined;
  let closed = false;

  const connection = async (): Promise<Connection> => {
    if (closed) throw new Error("The database is closed.");
    await hear();
    if (open === undefined || open.lost) {
      open = await connect();
      // The counters may lose what other tables may not. A driver that reconnects loses these settings, and its writes fail.
      await open.runAll(
        "SET default_transaction_read_only = off; SET synchronous_commit = off; SELECT 1",
      );
    }
    return open;
  };

  const run = (text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> =>
    turns("", async () => {
      try {
        return await (await connection()).run(text, values, PATIENCE_MS);
      } catch (error) {
        throw failureOf(error);
      }
    });
  const now = (): string => (clock === undefined ? "" : String(clock.now()));

  return {
    setUp: () =>
      turns("", async () => {
        try {
          await (await connection()).runAll(SET_UP);
        } catch (error) {
          // It may be in a failed transaction.
          open?.drop();
          throw failureOf(error);
        }
      }),
    applyOr: async (steps) => {
      const [row] = await run(APPLY, [JSON.stringify(steps), now()]);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return JSON.parse(String(row?.["applied"])) as Applied | Standing;
    },
    standing: async () => {
      const [row] = await run(STANDING, []);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return JSON.parse(String(row?.["standing"])) as Standing;
    },
    move: async ({ side, epoch }, to, redisRun) => {
      const [row] = await run(MOVE, [side, epoch, to, redisRun]);
      const moved = row?.["moved"];
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return typeof moved === "string" ? (JSON.parse(moved) as Standing) : undefined;
    },
    counters: async () => {
      const rows = await run(COUNTERS, [now()]);
      return {
        at: Number(rows[0]?.["at"] ?? 0),
        counters: rows.map(({ name, state, ends_at: endsAt }) => ({
          name: String(name),
          state: String(state),
          endsAt: Number(endsAt),
        })),
      };
    },
    seed: async (counters) => {
      for (let start = 0; start < counters.length; start += ROWS) {
        await run(SEED, [JSON.stringify(counters.slice(start, start + ROWS)), now()]);
      }
    },
    save: async () => {
      for (;;) {
        const [row] = await run(SAVE, [now()]);
        if (row?.["more"] !== 1) return;
      }
    },
    close: async () => {
      closed = true;
      await turns("", async () => open?.close());
    },
  };
}

/** The first number is the ASCII of `pets`. */
const LOCK = `pg_advisory_xact_lock(${locks.limits.join(", ")})`;

/** The clock of all processes; a test may give its own. */
const INSTANT = `COALESCE(given, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)`;

const APPLY = `SELECT limits_apply_1($1::text::jsonb, NULLIF($2::text, '')::bigint) AS applied`;
const STANDING = "SELECT limits_standing_1() AS standing";
const MOVE = "SELECT limits_move_1($1::text, $2::bigint, $3::text, $4::text) AS moved";
const SEED = `SELECT limits_seed_1($1::text::jsonb, NULLIF($2::text, '')::bigint) AS seeded`;
const COUNTERS = `SELECT name, '[' || array_to_string(numbers, ',') || ']' AS state, ends_at, at
  FROM limit_counters, limits_begin_1(NULLIF($1::text, '')::bigint) AS at
  WHERE ends_at > at AND name <> ''`;
const SAVE = `SELECT limits_save_1(NULLIF($1::text, '')::bigint) AS more`;

/** The most counters that are saved or deleted while decisions wait. */
const ROWS = 1_000;

const SET_UP = `BEGIN READ WRITE;
SELECT ${LOCK};

CREATE UNLOGGED TABLE IF NOT EXISTS limit_counters (
  name TEXT COLLATE "C" PRIMARY KEY,
  numbers BIGINT[] NOT NULL,
  ends_at BIGINT NOT NULL,
  saved BOOLEAN NOT NULL,
  changed BOOLEAN NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX IF NOT EXISTS limit_counters_by_end ON limit_counters (ends_at);
CREATE INDEX IF NOT EXISTS limit_counters_changed ON limit_counters (name) WHERE changed;

-- One row: which side counts.
CREATE TABLE IF NOT EXISTS limit_standing (
  one BOOLEAN PRIMARY KEY CHECK (one),
  side TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  run TEXT NOT NULL,
  since BIGINT NOT NULL,
  pause_ms BIGINT NOT NULL
);
INSERT INTO limit_standing VALUES (true, 'postgres', 0, '', 0, 0) ON CONFLICT DO NOTHING;

CREATE OR REPLACE FUNCTION limits_standing_1() RETURNS TEXT LANGUAGE sql AS $f$
  SELECT json_build_object(
    'side', side, 'epoch', epoch, 'run', run, 'pauseMs', pause_ms, 'ageMs',
    GREATEST(0, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - since)
  )::text FROM limit_standing
$f$;

CREATE OR REPLACE FUNCTION limits_move_1(
  from_side TEXT, from_epoch BIGINT, to_side TEXT, to_run TEXT
) RETURNS TEXT LANGUAGE plpgsql AS $f$
DECLARE
  instant BIGINT;
BEGIN
  PERFORM ${LOCK};
  -- Another node must not count by a change that a crash takes back.
  PERFORM set_config('synchronous_commit', 'on', true);
  instant := floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  UPDATE limit_standing SET
    side = to_side,
    epoch = CASE WHEN to_side = 'redis' THEN epoch ELSE epoch + 1 END,
    run = to_run,
    since = instant,
    pause_ms = CASE
      WHEN to_side <> 'postgres' AND to_side <> 'to-postgres' THEN pause_ms
      WHEN side = 'to-postgres' THEN pause_ms
      WHEN side = 'to-redis' OR instant - since < 60000 THEN LEAST(300000, GREATEST(5000, pause_ms * 2))
      ELSE 5000
    END
    WHERE side = from_side AND epoch = from_epoch;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  RETURN limits_standing_1();
END $f$;

CREATE OR REPLACE FUNCTION limits_keep_1(
  of_name TEXT, new_numbers BIGINT[], new_end BIGINT, is_saved BOOLEAN
) RETURNS VOID LANGUAGE plpgsql AS $f$
BEGIN
  UPDATE limit_counters SET numbers = new_numbers, ends_at = new_end, changed = is_saved
    WHERE name = of_name;
  IF NOT FOUND THEN
    INSERT INTO limit_counters VALUES (of_name, new_numbers, new_end, is_saved, is_saved);
  END IF;
END $f$;

-- Begins a call: decisions are made one after another, in any process.
CREATE OR REPLACE FUNCTION limits_begin_1(given BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS $f$
DECLARE
  instant BIGINT;
BEGIN
  PERFORM ${LOCK};
  instant := ${INSTANT};
  -- A row without a name proves that the database has not emptied the table.
  IF NOT EXISTS (SELECT FROM limit_counters WHERE name = '') THEN
    INSERT INTO limit_counters
      SELECT name, string_to_array(btrim(state, '[]'), ',')::bigint[], ends_at, true, false
      FROM counters
      WHERE ends_at > instant AND state ~ '^\\[\\d{1,16}(,\\d{1,16})*\\]$'
      ON CONFLICT DO NOTHING;
    INSERT INTO limit_counters VALUES ('', '{}', 9007199254740991, false, false);
  END IF;
  RETURN instant;
END $f$;

-- Counts refusals of an offender. Returns which of them is one violation too many, from 1; or 0.
CREATE OR REPLACE FUNCTION limits_refuse_1(
  offender TEXT, refusals BIGINT, threshold BIGINT, resets_at BIGINT, instant BIGINT
) RETURNS BIGINT LANGUAGE plpgsql AS $f$
DECLARE
  known BIGINT[];
  slots BIGINT[] := '{}';
  slot BIGINT := instant / 100;
  total BIGINT := 0;
  abusive BIGINT := 0;
  rest BIGINT;
BEGIN
  SELECT numbers INTO known FROM limit_counters WHERE name = offender;
  IF known IS NULL THEN
    known := ARRAY[resets_at, instant];
  ELSIF known[1] <> resets_at OR instant < known[2] THEN
    known[1] := resets_at;
    known[2] := instant;
  ELSIF instant - known[2] > 2000 THEN
    IF cardinality(known) = 2 OR known[cardinality(known) - 1] <= slot THEN
      FOR place IN 3 .. cardinality(known) - 1 BY 2 LOOP
        IF known[place] > slot - 600 THEN
          slots := slots || known[place : place + 1];
          total := total + known[place + 1];
        END IF;
      END LOOP;
    END IF;
    IF total + refusals > threshold THEN
      abusive := GREATEST(1, threshold + 1 - total);
      rest := (refusals - abusive) % (threshold + 1);
      slots := CASE WHEN rest > 0 THEN ARRAY[slot, rest] ELSE '{}' END;
    ELSIF slots[cardinality(slots) - 1] = slot THEN
      slots[cardinality(slots)] := slots[cardinality(slots)] + refusals;
    ELSE
      slots := slots || ARRAY[slot, refusals];
    END IF;
    known := known[1:2] || slots;
  END IF;
  PERFORM limits_keep_1(offender, known, GREATEST(
    known[1],
    CASE WHEN cardinality(known) > 2 THEN (known[cardinality(known) - 1] + 600) * 100 ELSE 0 END
  ), true);
  RETURN abusive;
END $f$;

CREATE OR REPLACE FUNCTION limits_apply_1(steps JSONB, given BIGINT) RETURNS TEXT
LANGUAGE plpgsql AS $f$
DECLARE
  instant BIGINT := limits_begin_1(given);
  whole BIGINT := instant - instant % 1000;
  step JSONB;
  counter JSONB;
  known BIGINT[];
  seen BIGINT[];
  behind BOOLEAN;
  granted BIGINT;
  abusive BIGINT;
  resets_at BIGINT;
  len BIGINT;
  s BIGINT;
  u BIGINT;
  p BIGINT;
  shown TEXT;
  outcomes TEXT := '';
BEGIN
  IF (SELECT side FROM limit_standing) <> 'postgres' THEN
    RETURN limits_standing_1();
  END IF;
  FOR step IN SELECT value FROM jsonb_array_elements(steps) LOOP
    IF step->>0 = 'spend' THEN
      granted := (step->1)::bigint;
      behind := false;
      abusive := 0;
      seen := '{}';
      shown := '';
      FOR i IN 4 .. jsonb_array_length(step) - 1 LOOP
        counter := step->i;
        SELECT numbers INTO known FROM limit_counters WHERE name = counter->>0;
        shown := shown || ',[';
        FOR w IN 0 .. 1 LOOP
          len := (counter->(2 + 2 * w))::bigint;
          -- Without a second window, the first one takes its place among those seen.
          IF len > 0 THEN
            s := known[3 * w + 1];
            u := known[3 * w + 2];
            p := known[3 * w + 3];
            IF s IS NULL OR instant >= s + len THEN
              s := whole;
              u := 0;
              p := 0;
            ELSIF instant < s THEN
              -- The clock was set back: the window restarts and keeps its count.
              s := whole;
              behind := true;
            END IF;
            granted := LEAST(granted, GREATEST(0, (counter->(3 + 2 * w))::bigint - u));
            shown := shown || CASE w WHEN 0 THEN '' ELSE ',' END || s || ',' || u || ',' || p;
          END IF;
          seen := seen || ARRAY[s, u, p];
        END LOOP;
        shown := shown || ']';
      END LOOP;
      IF granted > 0 OR behind THEN
        FOR i IN 4 .. jsonb_array_length(step) - 1 LOOP
          counter := step->i;
          known := seen[6 * i - 23 : 6 * i - 18];
          known[2] := known[2] + granted;
          known[3] := GREATEST(known[3], known[2]);
          IF (counter->4)::bigint > 0 THEN
            known[5] := known[5] + granted;
            known[6] := GREATEST(known[6], known[5]);
          ELSE
            known := known[1:3];
          END IF;
          PERFORM limits_keep_1(
            counter->>0,
            known,
            GREATEST(known[1] + (counter->2)::bigint, known[4] + (counter->4)::bigint),
            counter->1 = '1'
          );
        END LOOP;
      END IF;
      IF granted < (step->1)::bigint AND step->>2 <> '' THEN
        counter := step->4;
        -- The window of the response's headers: fewer requests left, then the later reset.
        s := GREATEST(0, (counter->3)::bigint - seen[2] - granted);
        u := GREATEST(0, (counter->5)::bigint - seen[5] - granted);
        resets_at := seen[1] + (counter->2)::bigint;
        p := seen[4] + (counter->4)::bigint;
        IF u < s OR (u = s AND p > resets_at) THEN
          resets_at := p;
        END IF;
        abusive := limits_refuse_1(
          step->>2, (step->1)::bigint - granted, (step->3)::bigint, resets_at, instant
        );
      END IF;
      outcomes := outcomes || ',[' || granted || ',' || abusive || shown || ']';
    ELSIF step->>0 = 'refund' THEN
      FOR i IN 1 .. jsonb_array_length(step) - 1 LOOP
        counter := step->i;
        SELECT numbers INTO known FROM limit_counters WHERE name = counter->>0;
        IF known[1] = (counter->1)::bigint AND known[2] > 0 THEN
          known[2] := known[2] - 1;
        END IF;
        IF known[4] = (counter->2)::bigint AND known[5] > 0 THEN
          known[5] := known[5] - 1;
        END IF;
        UPDATE limit_counters SET numbers = known, changed = saved WHERE name = counter->>0;
      END LOOP;
      outcomes := outcomes || ',0';
    ELSE
      UPDATE limit_counters
        SET numbers = ARRAY[numbers[1], instant], ends_at = numbers[1], changed = true
        WHERE name = step->>1;
      outcomes := outcomes || ',0';
    END IF;
  END LOOP;
  RETURN '{"at":' || instant || ',"outcomes":[' || substr(outcomes, 2) || ']}';
END $f$;

-- Adds counters that were seen elsewhere. Of two windows the later one remains, or the one that counts more.
CREATE OR REPLACE FUNCTION limits_seed_1(seen JSONB, given BIGINT) RETURNS VOID LANGUAGE plpgsql AS $f$
DECLARE
  instant BIGINT := limits_begin_1(given);
  one RECORD;
  known BIGINT[];
BEGIN
  FOR one IN
    SELECT name, saved, "endsAt", numbers
    FROM jsonb_to_recordset(seen) AS rows(name TEXT, saved INT, "endsAt" BIGINT, numbers BIGINT[])
  LOOP
    SELECT c.numbers INTO known FROM limit_counters AS c WHERE c.name = one.name;
    FOR place IN 1 .. COALESCE(cardinality(known), 0) BY 3 LOOP
      IF known[place] > one.numbers[place] THEN
        one.numbers[place : place + 2] := known[place : place + 2];
      ELSIF known[place] = one.numbers[place] THEN
        one.numbers[place + 1] := GREATEST(known[place + 1], one.numbers[place + 1]);
        one.numbers[place + 2] := GREATEST(known[place + 2], one.numbers[place + 2]);
      END IF;
    END LOOP;
    PERFORM limits_keep_1(
      one.name, one.numbers, GREATEST(one."endsAt", (SELECT c.ends_at FROM limit_counters AS c WHERE c.name = one.name)), one.saved = 1
    );
  END LOOP;
END $f$;

-- Returns whether more is to be saved.
CREATE OR REPLACE FUNCTION limits_save_1(given BIGINT) RETURNS BOOLEAN LANGUAGE plpgsql AS $f$
DECLARE
  instant BIGINT := limits_begin_1(given);
  done BIGINT;
BEGIN
  WITH taken AS (
    UPDATE limit_counters SET changed = false
    WHERE name IN (SELECT name FROM limit_counters WHERE changed LIMIT ${ROWS})
    RETURNING name, numbers, ends_at
  )
  INSERT INTO counters (name, state, ends_at)
    SELECT name, '[' || array_to_string(numbers, ',') || ']', ends_at FROM taken ORDER BY name
    ON CONFLICT (name) DO UPDATE SET state = excluded.state, ends_at = excluded.ends_at;
  GET DIAGNOSTICS done = ROW_COUNT;
  DELETE FROM limit_counters WHERE name IN (
    SELECT name FROM limit_counters WHERE ends_at <= instant ORDER BY ends_at LIMIT ${ROWS}
  );
  RETURN done = ${ROWS};
END $f$;

COMMIT`;
