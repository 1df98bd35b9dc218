import { onPostgres } from "../helpers/databases.ts";

onPostgres();
await import("../scenario/domains.test.ts");
