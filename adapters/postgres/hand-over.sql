-- Where limits are counted: one row, which all nodes read. hand-over.ts draws its states and decides about its changes.
CREATE TABLE IF NOT EXISTS limit_standing (
  one BOOLEAN PRIMARY KEY CHECK (one),
  -- The state.
  side TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  run TEXT NOT NULL,
  -- When the row last changed, in milliseconds.
  since BIGINT NOT NULL,
  pause_ms BIGINT NOT NULL
);
INSERT INTO limit_standing VALUES (true, 'postgres', 0, '', 0, 0) ON CONFLICT DO NOTHING;

CREATE OR REPLACE FUNCTION limits_row_2() RETURNS TEXT LANGUAGE sql AS $f$
  SELECT json_build_object(
    'state', side, 'epoch', epoch, 'run', run, 'pauseMs', pause_ms,
    'ageMs', GREATEST(0, limits_clock_2() - since)
  )::text FROM limit_standing
$f$;

-- Changes the row unless another node has changed it, and returns it; else returns NULL.
CREATE OR REPLACE FUNCTION limits_move_2(
  from_state TEXT, from_epoch BIGINT,
  to_state TEXT, to_epoch BIGINT, to_run TEXT, to_pause_ms BIGINT
) RETURNS TEXT LANGUAGE plpgsql AS $f$
DECLARE
  -- No decision of PostgreSQL is under way meanwhile.
  instant CONSTANT BIGINT := limits_begin_2(NULL);
BEGIN
  -- No node may count by a change that a crash takes back.
  PERFORM set_config('synchronous_commit', 'on', true);
  UPDATE limit_standing SET
    side = to_state, epoch = to_epoch, run = to_run, since = instant, pause_ms = to_pause_ms
    WHERE side = from_state AND epoch = from_epoch;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  RETURN limits_row_2();
END $f$;
