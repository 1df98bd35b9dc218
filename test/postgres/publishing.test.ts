import { onPostgres } from "../helpers/databases.ts";

onPostgres();
await import("../cli/publishing.test.ts");
