import { driftStandsStill, LASTING_DRIFT_MS } from "../../domains/index.ts";
import { HOUR_MS } from "../../lib/base/clock.ts";
import { ok, skip, warn, type Check } from "./check.ts";

/** Live domains and the service's own hosts still have the records that they had. */
export const domainsStay: Check = async (subject) => {
  const { found, has, query } = await subject.database();
  if (found !== "ours" || !(await has("domains"))) return skip("domains_none", {});
  const own = await query(OWN, STAGE_MARK);
  if (own.length > 0) return warn("hosts_drift", { names: own.map(({ name }) => String(name)) });
  // The columns are missing before the first start of this version.
  const looked = await query(LEAST_LOOKED).catch(() => undefined);
  if (looked === undefined) return skip("domains_unseen", {});
  const [least] = looked;
  const now = subject.runtime.clock.now();
  const since = Math.min(now - HOUR_MS, Number(least?.["looked_at"] ?? 0));
  const [counted] = await query(LOOKS, now - LASTING_DRIFT_MS, since);
  const counts = { looks: Number(counted?.["looks"]), bad: Number(counted?.["bad"]) };
  const lasting = Number(counted?.["lasting"]);
  if (driftStandsStill({ ...counts, lasting })) return warn("drift_stands_still", counts);
  const [drifting] = await query(DRIFTING, STAGE_MARK);
  const count = Number(drifting?.["count"]);
  if (count > 0) return ok("domains_drift", { count });
  return counts.looks === 0 ? skip("domains_unseen", {}) : ok("domains_stay", {});
};

/** How the facts of a domain (JSON) say that it drifts or has moved: texts in them have no such quotes. */
const STAGE_MARK = '%"stage":{"kind":%';
const DRIFTS = "removed_at IS NULL AND facts LIKE ?";
const OWN = `SELECT name FROM domains WHERE account_id = 'own' AND ${DRIFTS} ORDER BY seq LIMIT 3`;
const DRIFTING = `SELECT COUNT(*) AS count FROM domains WHERE ${DRIFTS}`;
// As the store of domains counts looks.
const LEAST_LOOKED = `SELECT looked_at FROM domains WHERE looked_at IS NOT NULL
  ORDER BY looked_at DESC LIMIT 1 OFFSET 49`;
const LOOKS = `SELECT COUNT(*) AS looks, COALESCE(SUM(look_bad), 0) AS bad,
    COUNT(CASE WHEN look_bad = 1 AND looked_at < ? THEN 1 END) AS lasting FROM domains
  WHERE looked_at >= ? AND removed_at IS NULL`;
