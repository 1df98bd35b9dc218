// Prints the names of new animals, one for each event, until it is killed. Arguments: kind of database, its place, hours by
// which its clock is ahead.

import { writeSync } from "node:fs";

import { postgresStore } from "../../adapters/postgres/sql.ts";
import { bunSqliteStore } from "../../adapters/sqlite/bun.ts";
import { HOUR_MS, systemClock, type Clock } from "../../lib/base/clock.ts";
import { createPetstore } from "../../lib/index.ts";
import { drivers } from "./postgres.ts";

const [kind, place = "", hours] = process.argv.slice(2);
// A process that was killed has had the turn for a while: by this clock, that is over.
const ahead = Number(hours) * HOUR_MS;
const clock: Clock = { ...systemClock, now: () => Date.now() + ahead };
const connect = drivers["Bun.SQL"]!;
const store =
  kind === "sqlite"
    ? await bunSqliteStore({ path: place, clock })
    : await postgresStore({ url: place, connect });
const petstore = createPetstore({ store, clock });
petstore.events.on("pet.created", ({ data }) => void writeSync(1, `${data.pet.name}\n`), {
  consumer: "printer",
  from: "start",
});
petstore.jobs.start();
