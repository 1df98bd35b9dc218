import { describe } from "bun:test";

import { bunSqliteStore } from "../../adapters/sqlite/bun.ts";
import { torture } from "../helpers/chance.ts";
import { scratch } from "../helpers/sqlite.ts";
import { storeModelTests } from "./store-model.ts";

const file = scratch();

describe("on SQLite", () => {
  storeModelTests(() => bunSqliteStore({ path: file() }), torture ? 500 : 15);
});
