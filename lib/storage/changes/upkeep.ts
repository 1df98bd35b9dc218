import type { Change } from "../change.ts";
import { nothing } from "../../sql/script.ts";
import type { Outcomes, StoreScript } from "./store-script.ts";

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

const RECORD_ANSWER = `INSERT INTO answers
  (catalogue_id, request, idempotency_key, fingerprint, status, headers, body, expires_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (catalogue_id, request, idempotency_key) DO UPDATE SET
    fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
    body = excluded.body, expires_at = excluded.expires_at
  WHERE answers.expires_at <= ? RETURNING status`;

export function recordAnswer(
  script: StoreScript,
  { id, fingerprint, answer, at, expiresAt }: Of<"answer.record">,
): Outcomes {
  const before = [...script.outcomes];
  script.demand(
    RECORD_ANSWER,
    (rows) => {
      const { status, headers, body } = answer(before.map((outcome) => outcome(rows)));
      return [
        id.catalogueId,
        id.request,
        id.key,
        fingerprint,
        status,
        JSON.stringify(headers),
        body,
        expiresAt,
        at,
      ];
    },
    "exists",
  );
  return nothing;
}

const SAVE_COUNTER = `INSERT INTO counters (name, state, ends_at) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET state = excluded.state, ends_at = excluded.ends_at`;

const SAVE_LAST_USED = "UPDATE api_keys SET last_used_at = ? WHERE id = ?";

export function saveCounters(
  script: StoreScript,
  { counters, lastUsed }: Of<"counters.save">,
): Outcomes {
  for (const { name, state, endsAt } of counters) script.add(SAVE_COUNTER, [name, state, endsAt]);
  for (const { keyId, at } of lastUsed) script.add(SAVE_LAST_USED, [at, keyId]);
  return nothing;
}

const INIT_SETTING =
  "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING";

export function initSetting(script: StoreScript, { name, value }: Of<"setting.init">): Outcomes {
  script.add(INIT_SETTING, [name, value]);
  return nothing;
}
