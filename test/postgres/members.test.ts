import { onPostgres } from "../helpers/databases.ts";

onPostgres();
await import("../cli/members.test.ts");
