import { bunSqliteStore } from "../../../adapters/sqlite/bun.ts";
import { nodeSqliteStore } from "../../../adapters/sqlite/node.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { describeStore } from "../../contract/store.ts";
import { scratch } from "../../helpers/sqlite.ts";

const file = scratch();

describeStore("bun:sqlite on a file", () => bunSqliteStore({ path: file() }));
describeStore("bun:sqlite in memory", () => bunSqliteStore({ path: ":memory:" }));
describeStore("node:sqlite on a file", () => nodeSqliteStore({ path: file() }));
describeStore("memory", async () => memoryStore());
