export { createImports } from "./job/create.ts";
export type { Imports, ImportsOptions } from "./job/create.ts";
export { importSchema, sqlImportStore } from "./job/store.ts";
export type { ImportStore, SqlImportStoreOptions } from "./job/store.ts";
export type { FetchPicture } from "./pictures.ts";
export type { SheetRow, Workbooks } from "./reading/workbook.ts";
