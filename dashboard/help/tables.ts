import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";

import type { Dialect } from "../../adapters/common-mark.ts";

/** CommonMark with the tables of GitHub's. */
export const withTables: Dialect = { syntax: [gfmTable()], html: [gfmTableHtml()] };
