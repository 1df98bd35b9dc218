-- Where limits are counted: one row, which all nodes read. hand-over.ts says what its states mean and which changes it has.
CREATE TABLE IF NOT EXISTS limit_standing (
  one BOOLEAN PRIMARY KEY CHECK (one),
  side TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  run TEXT NOT NULL,
  since BIGINT NOT NULL,
  pause_ms BIGINT NOT NULL
);
INSERT INTO limit_standing VALUES (true, 'postgres', 0, '', 0, 0) ON CONFLICT DO NOTHING;

CREATE OR REPLACE FUNCTION limits_standing_2() RETURNS TEXT LANGUAGE sql AS $f$
  SELECT json_build_object(
    'side', side, 'epoch', epoch, 'run', run, 'pauseMs', pause_ms,
    'ageMs', GREATEST(0, limits_clock_2() - since)
  )::text FROM limit_standing
$f$;

CREATE OR REPLACE FUNCTION limits_move_2(
  from_side TEXT, from_epoch BIGINT, to_side TEXT, to_run TEXT
) RETURNS TEXT LANGUAGE plpgsql AS $f$
DECLARE
  -- No decision is under way in PostgreSQL meanwhile.
  instant CONSTANT BIGINT := limits_begin_2(NULL);
BEGIN
  -- Another node must not count by a change that a crash takes back.
  PERFORM set_config('synchronous_commit', 'on', true);
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
  RETURN limits_standing_2();
END $f$;
