-- Counts limits in PostgreSQL, for all processes on the database. One call decides while it holds one lock, so that a process
-- that is paused between two decisions blocks no other one.
--
-- The rules are those of the limiter in memory: lib/accounts/memory-limiter.ts, lib/model/window.ts and
-- lib/accounts/violations.ts. test/helpers/limiter-agreement.ts compares the two call by call.
--
-- The functions carry a version, because nodes of two versions share the database during an upgrade and each version calls its
-- own. A change to a function needs a new version of all of them; the tables must suit both.

-- The database writes no log for an unlogged table, and empties it after a crash or when a standby becomes the primary.
-- Changed counters are therefore copied to the table `counters`, from which `limits_begin` fills the empty one.
CREATE UNLOGGED TABLE IF NOT EXISTS limit_counters (
  -- The row without a name proves that the table has not been emptied.
  name TEXT COLLATE "C" PRIMARY KEY,
  -- Of a counter of requests: start, used and peak of its first window, then of its second one if it has two.
  -- Of a counter of violations: the end of the window that refused last, the instant of its first refusal, then a number of
  -- slot and its violations for each slot that has any, the oldest first.
  numbers BIGINT[] NOT NULL,
  ends_at BIGINT NOT NULL,
  -- Whether the counter survives a crash.
  saved BOOLEAN NOT NULL,
  -- Whether it has changed since it was last saved.
  changed BOOLEAN NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX IF NOT EXISTS limit_counters_by_end ON limit_counters (ends_at);
CREATE INDEX IF NOT EXISTS limit_counters_changed ON limit_counters (name) WHERE changed;

CREATE OR REPLACE FUNCTION limits_clock_2() RETURNS BIGINT LANGUAGE sql AS $f$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$f$;

-- Begins a call and returns its instant: `given` by a test, or by the database's clock, which all processes share. Waits until
-- no other call is under way, in any process. The statements after it therefore see everything that earlier calls counted.
CREATE OR REPLACE FUNCTION limits_begin_2(given BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS $f$
DECLARE
  instant BIGINT;
BEGIN
  -- The lock `limits` of adapters/postgres/locks.ts. Functions of all versions take the same one in a schema; limits-sql.ts
  -- replaces its first number by that of the schema.
  PERFORM pg_advisory_xact_lock(1885697139, 2);
  instant := COALESCE(given, limits_clock_2());
  IF NOT EXISTS (SELECT FROM limit_counters WHERE name = '') THEN
    INSERT INTO limit_counters
      SELECT name, string_to_array(btrim(state, '[]'), ',')::bigint[], ends_at, true, false
      FROM counters
      -- Counters that another limiter or a later version wrote in another form are discarded, as after a crash.
      WHERE ends_at > instant AND state ~ '^\[\d{1,16}(,\d{1,16})*\]$'
      ON CONFLICT DO NOTHING;
    INSERT INTO limit_counters VALUES ('', '{}', 9007199254740991, false, false);
  END IF;
  RETURN instant;
END $f$;

-- Returns a window (start, used, peak) as it is at `instant`, with the rules of `windowAt` in lib/model/window.ts; none if it
-- has no length.
CREATE OR REPLACE FUNCTION limits_window_2(
  known BIGINT[], length_ms BIGINT, instant BIGINT
) RETURNS BIGINT[] LANGUAGE plpgsql IMMUTABLE AS $f$
BEGIN
  IF length_ms = 0 THEN
    RETURN '{}';
  ELSIF known[1] IS NULL OR instant >= known[1] + length_ms THEN
    -- A new window begins at a whole second, so that it ends at one.
    RETURN ARRAY[instant - instant % 1000, 0, 0];
  ELSIF instant < known[1] THEN
    -- The clock was set back: the window restarts and keeps its count, so that no quota is granted twice.
    RETURN ARRAY[instant - instant % 1000, known[2], known[3]];
  END IF;
  RETURN known;
END $f$;

-- Returns a counter's windows after so many more requests, as `charged` in lib/model/window.ts does.
CREATE OR REPLACE FUNCTION limits_charged_2(opened BIGINT[], times BIGINT) RETURNS BIGINT[]
LANGUAGE plpgsql IMMUTABLE AS $f$
BEGIN
  IF cardinality(opened) = 3 THEN
    RETURN ARRAY[opened[1], opened[2] + times, GREATEST(opened[3], opened[2] + times)];
  END IF;
  RETURN ARRAY[
    opened[1], opened[2] + times, GREATEST(opened[3], opened[2] + times),
    opened[4], opened[5] + times, GREATEST(opened[6], opened[5] + times)
  ];
END $f$;

-- Counts refusals of an offender by the window that ends at `resets_at`. Returns which of them is the first that makes more than
-- `threshold` violations within a minute, from 1; or 0 if none does. The rules are those of lib/accounts/violations.ts.
CREATE OR REPLACE FUNCTION limits_refuse_2(
  offender TEXT, refusals BIGINT, threshold BIGINT, resets_at BIGINT, instant BIGINT
) RETURNS BIGINT LANGUAGE plpgsql AS $f$
DECLARE
  -- Refusals so soon after the first one are no violations: they may have been sent before it arrived.
  grace_ms CONSTANT BIGINT := 2000;
  slot_ms CONSTANT BIGINT := 100;
  slots_of_a_minute CONSTANT BIGINT := 600;
  slot CONSTANT BIGINT := instant / slot_ms;
  known BIGINT[];
  first_refusal_at BIGINT;
  -- Number and violations of each slot that still counts.
  slots BIGINT[];
  newest BIGINT;
  total BIGINT := 0;
  abusive BIGINT := 0;
  rest BIGINT;
BEGIN
  SELECT numbers INTO known FROM limit_counters WHERE name = offender;
  first_refusal_at := known[2];
  slots := COALESCE(known[3 : cardinality(known)], '{}');
  IF known IS NULL OR known[1] <> resets_at OR instant < first_refusal_at THEN
    -- In another window, or after the clock was set back, the time of grace restarts.
    first_refusal_at := instant;
  ELSIF instant - first_refusal_at > grace_ms THEN
    newest := slots[cardinality(slots) - 1];
    known := slots;
    slots := '{}';
    -- If the clock was set back before the newest slot, the age of the violations is unknown, and none of them counts.
    IF newest <= slot THEN
      FOR place IN 1 .. cardinality(known) - 1 BY 2 LOOP
        IF known[place] > slot - slots_of_a_minute THEN
          slots := slots || known[place : place + 1];
          total := total + known[place + 1];
        END IF;
      END LOOP;
    END IF;
    IF total + refusals > threshold THEN
      abusive := GREATEST(1, threshold + 1 - total);
      -- The count restarts after each violation too many, so only the refusals after the last of these are left.
      rest := (refusals - abusive) % (threshold + 1);
      slots := CASE WHEN rest > 0 THEN ARRAY[slot, rest] ELSE '{}' END;
    ELSIF slots[cardinality(slots) - 1] = slot THEN
      slots[cardinality(slots)] := slots[cardinality(slots)] + refusals;
    ELSE
      slots := slots || ARRAY[slot, refusals];
    END IF;
  END IF;
  newest := slots[cardinality(slots) - 1];
  INSERT INTO limit_counters VALUES (
    offender,
    ARRAY[resets_at, first_refusal_at] || slots,
    GREATEST(resets_at, (newest + slots_of_a_minute) * slot_ms),
    true,
    true
  ) ON CONFLICT (name) DO UPDATE SET
    numbers = excluded.numbers, ends_at = excluded.ends_at, changed = true;
  RETURN abusive;
END $f$;

-- Returns the end of the window of the response's headers: fewer requests left, then the later end (`pick` in
-- lib/model/window.ts).
CREATE OR REPLACE FUNCTION limits_picked_end_2(
  first_left BIGINT, first_end BIGINT, second_left BIGINT, second_end BIGINT
) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $f$
  SELECT CASE
    WHEN first_left < second_left THEN first_end
    WHEN second_left < first_left THEN second_end
    ELSE GREATEST(first_end, second_end)
  END
$f$;

-- Applies ["spend", times, offender, threshold, ...counters], where a counter is
-- [name, saved, length and limit of its first window, length and limit of its second one or 0, 0].
-- Returns [granted, abusive, ...the windows of each counter as they were before].
--
-- PostgreSQL prepares each expression of a function again in each transaction, so few expressions matter more than few calls.
-- CPU time of the server for a call with 16 steps, the shortest of 12 runs in turn (PostgreSQL 15, 1,000 counters):
--
--   this function                                                                       329 µs
--   UPDATE, and INSERT if it finds no counter, instead of INSERT ... ON CONFLICT        324 µs
--   limits_window and limits_charged in SQL, which inlines each argument several times  351 µs
--   one function for everything, which reads both windows in a loop (version 1)         345 µs
CREATE OR REPLACE FUNCTION limits_spend_2(step JSONB, instant BIGINT) RETURNS TEXT
LANGUAGE plpgsql AS $f$
DECLARE
  times BIGINT := (step->1)::bigint;
  asked JSONB;
  known BIGINT[];
  first_length BIGINT;
  first_limit BIGINT;
  first_window BIGINT[];
  second_length BIGINT;
  second_limit BIGINT;
  second_window BIGINT[];
  counter limit_counters;
  opened limit_counters[] := '{}';
  granted BIGINT := times;
  set_back BOOLEAN := false;
  abusive BIGINT := 0;
  windows TEXT := '';
BEGIN
  -- As many are granted as all windows of all counters allow.
  FOR place IN 4 .. jsonb_array_length(step) - 1 LOOP
    asked := step->place;
    first_length := (asked->2)::bigint;
    first_limit := (asked->3)::bigint;
    second_length := (asked->4)::bigint;
    second_limit := (asked->5)::bigint;
    SELECT numbers INTO known FROM limit_counters WHERE name = asked->>0;
    first_window := limits_window_2(known[1:3], first_length, instant);
    second_window := limits_window_2(known[4:6], second_length, instant);
    -- GREATEST and LEAST ignore the NULL of a second window that does not exist.
    granted := GREATEST(0, LEAST(granted, first_limit - first_window[2], second_limit - second_window[2]));
    IF instant < GREATEST(known[1], known[4]) THEN
      set_back := true;
    END IF;
    opened := opened || ROW(
      asked->>0,
      first_window || second_window,
      GREATEST(first_window[1] + first_length, second_window[1] + second_length),
      asked->>1 = '1',
      NULL
    )::limit_counters;
    windows := windows || ',[' || array_to_string(first_window || second_window, ',') || ']';
  END LOOP;
  -- A window that restarts because the clock was set back must be stored, or it would never end.
  IF granted > 0 OR set_back THEN
    FOREACH counter IN ARRAY opened LOOP
      INSERT INTO limit_counters VALUES (
        counter.name, limits_charged_2(counter.numbers, granted), counter.ends_at,
        counter.saved, counter.saved
      ) ON CONFLICT (name) DO UPDATE SET
        numbers = excluded.numbers, ends_at = excluded.ends_at, changed = excluded.changed;
    END LOOP;
  END IF;
  -- The counter of an offender is the only one of its step, and has two windows.
  IF granted < times AND step->>2 <> '' THEN
    abusive := limits_refuse_2(
      step->>2,
      times - granted,
      (step->3)::bigint,
      limits_picked_end_2(
        GREATEST(0, first_limit - first_window[2] - granted),
        first_window[1] + first_length,
        GREATEST(0, second_limit - second_window[2] - granted),
        second_window[1] + second_length
      ),
      instant
    );
  END IF;
  RETURN '[' || granted || ',' || abusive || windows || ']';
END $f$;

-- Applies ["refund", ...[counter, start of its first window, start of its second one or 0]]: takes a request back from each
-- of these windows that is still open.
CREATE OR REPLACE FUNCTION limits_refund_2(step JSONB) RETURNS VOID LANGUAGE plpgsql AS $f$
DECLARE
  refund JSONB;
  known BIGINT[];
BEGIN
  FOR place IN 1 .. jsonb_array_length(step) - 1 LOOP
    refund := step->place;
    SELECT numbers INTO known FROM limit_counters WHERE name = refund->>0;
    IF known[1] = (refund->1)::bigint AND known[2] > 0 THEN
      known[2] := known[2] - 1;
    END IF;
    IF known[4] = (refund->2)::bigint AND known[5] > 0 THEN
      known[5] := known[5] - 1;
    END IF;
    UPDATE limit_counters SET numbers = known, changed = saved WHERE name = refund->>0;
  END LOOP;
END $f$;

-- Applies a list of steps in order, if PostgreSQL counts. Returns their outcomes, or else where limits are counted.
CREATE OR REPLACE FUNCTION limits_apply_2(steps JSONB, given BIGINT) RETURNS TEXT
LANGUAGE plpgsql AS $f$
DECLARE
  instant CONSTANT BIGINT := limits_begin_2(given);
  step JSONB;
  outcomes TEXT := '';
BEGIN
  IF (SELECT side FROM limit_standing) <> 'postgres' THEN
    RETURN limits_row_2();
  END IF;
  FOR step IN SELECT value FROM jsonb_array_elements(steps) LOOP
    IF step->>0 = 'spend' THEN
      outcomes := outcomes || ',' || limits_spend_2(step, instant);
    ELSIF step->>0 = 'refund' THEN
      PERFORM limits_refund_2(step);
      outcomes := outcomes || ',0';
    ELSE
      -- ["clear", offender]: it has no violations, and its time of grace restarts.
      UPDATE limit_counters
        SET numbers = ARRAY[numbers[1], instant], ends_at = numbers[1], changed = true
        WHERE name = step->>1;
      outcomes := outcomes || ',0';
    END IF;
  END LOOP;
  RETURN '{"at":' || instant || ',"outcomes":[' || substr(outcomes, 2) || ']}';
END $f$;

-- Lists the counters that have not ended, with the instant of the list.
CREATE OR REPLACE FUNCTION limits_list_2(given BIGINT)
RETURNS TABLE (name TEXT, state TEXT, ends_at BIGINT, at BIGINT) LANGUAGE plpgsql AS $f$
DECLARE
  instant CONSTANT BIGINT := limits_begin_2(given);
BEGIN
  -- A statement of its own, so that it sees the counters that `limits_begin` has restored.
  RETURN QUERY SELECT c.name, '[' || array_to_string(c.numbers, ',') || ']', c.ends_at, instant
    FROM limit_counters AS c WHERE c.ends_at > instant AND c.name <> '';
END $f$;

-- Joins a window as two places know it: the later one remains or, of equals, the greater counts.
CREATE OR REPLACE FUNCTION limits_joined_2(known BIGINT[], seen BIGINT[]) RETURNS BIGINT[]
LANGUAGE sql IMMUTABLE AS $f$
  SELECT CASE
    WHEN known[1] > seen[1] THEN known
    WHEN known[1] = seen[1] THEN
      ARRAY[seen[1], GREATEST(known[2], seen[2]), GREATEST(known[3], seen[3])]
    ELSE seen
  END
$f$;

-- Adds counters of requests that were seen elsewhere, each name once.
CREATE OR REPLACE FUNCTION limits_add_2(seen JSONB, given BIGINT) RETURNS VOID LANGUAGE plpgsql AS $f$
BEGIN
  PERFORM limits_begin_2(given);
  INSERT INTO limit_counters AS known
    SELECT name, numbers, "endsAt", saved = 1, saved = 1
    FROM jsonb_to_recordset(seen) AS rows(name TEXT, saved INT, "endsAt" BIGINT, numbers BIGINT[])
    ON CONFLICT (name) DO UPDATE SET
      numbers = limits_joined_2(known.numbers[1:3], excluded.numbers[1:3])
        || limits_joined_2(known.numbers[4:6], excluded.numbers[4:6]),
      ends_at = GREATEST(known.ends_at, excluded.ends_at),
      changed = excluded.changed;
END $f$;

-- Copies changed counters to where a crash does not forget them, and deletes ended ones, at most 1,000 of each, because
-- decisions wait meanwhile. Returns whether more may be left to copy.
CREATE OR REPLACE FUNCTION limits_save_2(given BIGINT) RETURNS BOOLEAN
LANGUAGE plpgsql AS $f$
DECLARE
  instant CONSTANT BIGINT := limits_begin_2(given);
  copied BIGINT;
BEGIN
  WITH taken AS (
    UPDATE limit_counters SET changed = false
    WHERE name IN (SELECT name FROM limit_counters WHERE changed LIMIT 1000)
    RETURNING name, numbers, ends_at
  )
  INSERT INTO counters (name, state, ends_at)
    SELECT name, '[' || array_to_string(numbers, ',') || ']', ends_at FROM taken ORDER BY name
    ON CONFLICT (name) DO UPDATE SET state = excluded.state, ends_at = excluded.ends_at;
  GET DIAGNOSTICS copied = ROW_COUNT;
  DELETE FROM limit_counters WHERE name IN (
    SELECT name FROM limit_counters WHERE ends_at <= instant ORDER BY ends_at LIMIT 1000
  );
  RETURN copied = 1000;
END $f$;
