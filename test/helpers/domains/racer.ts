/**
 * A separate process over a shared database. For each domain named in a line of stdin, it checks the DNS
 * like a user's request, and continues until the domain is live. Then it prints how many steps it performed itself, one line each.
 *
 *     bun racer.ts DATABASE AUTHORITY-URL AUTHORITY-ID
 */
import { system } from "../../../lib/model/actor.ts";
import { StoreUnavailable } from "../../../lib/sql/sql.ts";
import { openBunSqlite } from "../../../adapters/sqlite/bun.ts";
import { createAuthorityTime } from "../../../domains/acme/authority-time.ts";
import { sqlDomainStore } from "../../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../../domains/storage/sql-leases.ts";
import { systemClock } from "../../../lib/base/clock.ts";
import { silentLog } from "../../../lib/base/log.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { remoteAuthority } from "./remote-authority.ts";
import { openWorld } from "./world.ts";

const [path = "", url = "", id = ""] = process.argv.slice(2);
const clock = systemClock;
const sql = sqliteSql({
  database: openBunSqlite(path),
  defer: (callback) => setImmediate(callback),
  clock,
});
const store = await sqlDomainStore({ sql, clock });
// The pipeline's surroundings, but with real time and a shared database and CA.
const world = await openWorld();
const authority = remoteAuthority(url, id);
const pipeline = world.pipeline({
  store,
  leases: sqlLeases({ sql, clock }),
  authorities: [authority],
  clock: createAuthorityTime({ clock, authority, log: silentLog }),
  verifier: async () => ({ state: "verified", blocking: [], leadsHere: true, details: null }),
});
const signal = new AbortController().signal;

/** Retries if the other process held the database for too long, like the keeper does. */
async function persistently<Value>(attempt: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

console.log("ready");
for await (const domainId of console) {
  // The end of stdin ends the last line too.
  if (domainId === "") break;
  await persistently(() => pipeline.verify(domainId, system, signal));
  let did = 0;
  for (;;) {
    const { kind } = await persistently(() => pipeline.advance(domainId, signal));
    const domain = await persistently(async () => store.domains.byId(domainId));
    if (domain?.liveSince !== undefined) break;
    if (kind === "did") did++;
    else await Bun.sleep(2);
  }
  console.log(`${domainId} ${did}`);
}
await Promise.all([sql.close(), world.close()]);
