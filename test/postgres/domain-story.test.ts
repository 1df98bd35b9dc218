import { torture } from "../helpers/chance.ts";
import { onPostgres } from "../helpers/databases.ts";

onPostgres();
await import("../scenario/domains.test.ts");
if (torture) await import("../scenario/domains-crash.test.ts");
