import type { Problem } from "../../base/problem.ts";
import { problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { endpoint, Reply } from "../../http/endpoint.ts";
import { textParameter } from "../../http/parameters.ts";
import { inAccount } from "../../management/endpoint.ts";
import { inCatalogue, type EnvironmentCall } from "../../management/in-catalogue.ts";
import type { ManagementServices } from "../../management/management.ts";
import { memberNamed, type AuditType, type Records } from "../../model/audit-types.ts";
import { ImportRequestSchema } from "../choices-schema.ts";
import { MAX_ARCHIVE_BYTES, MAX_ARCHIVE_FILES, MAX_FILE_BYTES } from "../limits.ts";
import { importPlanShape, type ShownPlan } from "../plan-shown.ts";
import {
  addArchive,
  beginUndo,
  cancelImport,
  createImport,
  listImports,
  mapImport,
  readImportRow,
  readPlan,
  startImport,
  type ImportContext,
  type ImportPlace,
  type UploadedFile,
} from "../job/imports.ts";
import type { StoredImport } from "../job/model.ts";
import {
  importExample,
  importShape,
  importShown,
  importsShape,
  type ImportView,
} from "../job/shapes.ts";

const path = "/accounts/:account/:environment/imports";
const MIB = 1_048_576;
const MAX_FILE_NAME = 200;

const one = {
  status: 200,
  description: "The import.",
  schema: importShape,
  example: importExample,
} as const;

const planExample: ShownPlan = {
  columns: [
    {
      name: "Animal name",
      number: 1,
      fields: ["name"],
      reason: "name",
      filled: 3,
      samples: ["Minka", "Rex", "Waldo"],
    },
  ],
  questions: [],
  faults: [],
  warnings: [],
  rows: 3,
  animals: 3,
  updates: 0,
  faulty: 0,
  skipped: 0,
  keyed: 0,
  photos: 0,
  newCategories: [],
  first: [{ line: 2, name: "Minka", category: "2", status: "available", photos: 0 }],
};

/** The media types of tables. The content decides, so that any of them is right for any file. */
const types = [
  "text/csv",
  "text/plain",
  "text/tab-separated-values",
  "application/x-ndjson",
  "application/gzip",
  "application/vnd.ms-excel",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
];

/** The media types of archives of photos. */
const archiveTypes = ["application/zip", "application/octet-stream"];

const fileName = textParameter("The name of the file, to be shown.", {
  maxLength: MAX_FILE_NAME,
  rule: `must be a text of at most ${MAX_FILE_NAME} characters`,
});

/** Returns the file that a request uploads. */
function uploadIn({
  request: { headers, body },
  query: { fileName: name = "" },
}: {
  readonly request: Request;
  readonly query: { readonly fileName?: string | undefined };
}): Result<UploadedFile, Problem> {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") return refused(encoded);
  return done({ content: body ?? new Blob([]).stream(), fileName: name });
}

/** Calls `run` with the catalogue that the path names. */
function inPlace<Value>(
  call: EnvironmentCall,
  { store }: ManagementServices,
  run: (place: ImportPlace, root: string) => Promise<Result<Value, Problem>>,
): Promise<Result<Value, Problem>> {
  return inCatalogue(call, store, (catalogueId, root) =>
    run({ accountId: call.account.id, catalogueId }, root),
  );
}

function shown(
  found: Result<StoredImport, Problem>,
  { clock }: ManagementServices,
): Result<ImportView, Problem> {
  return found.ok ? done(importShown(found.value, clock.now())) : found;
}

/** Returns the operations of imports. */
export function importEndpoints(context: ImportContext) {
  const staff = { tag: "imports", access: inAccount("staff") } as const;
  return [
    endpoint({
      ...staff,
      operationId: "createImport",
      records: recordOf("import.created"),
      method: "POST",
      path,
      summary: "Upload a file of animals",
      description:
        "Begins to read a table: CSV with any delimiter, an Excel workbook, or JSON, also compressed with gzip, or in a zip archive with photos. " +
        "The content decides which, not the media type. Then its mapping says what the file contains, and what has to be answered before the import can run.",
      query: { fileName },
      streams: {
        types: [...types, ...archiveTypes],
        description: `The file, of at most ${MAX_FILE_BYTES / MIB} MiB, or a zip archive with it and photos, of at most ${MAX_ARCHIVE_BYTES / MIB} MiB.`,
      },
      success: {
        ...one,
        status: 201,
        description: "The import, in the state `reading`.",
        headers: ["Location"],
      },
      refusals: ["not_found", "unreadable_file", "limit_reached"],
      run: (call, services) =>
        inPlace(call, services, async (place, root) => {
          const uploaded = uploadIn(call);
          if (!uploaded.ok) return uploaded;
          const made = await createImport(context, place, {
            ...uploaded.value,
            actor: call.actor,
          });
          if (!made.ok) return made;
          const location = `${call.base}${root}/imports/${made.value.id}`;
          const view = importShown(made.value, services.clock.now());
          return done(new Reply(view, { headers: { location } }));
        }),
    }),
    endpoint({
      ...staff,
      operationId: "addImportPhotos",
      method: "PUT",
      path: `${path}/:import/photos`,
      summary: "Upload photos for an import",
      description:
        "Adds a zip archive of pictures beside the file, instead of an earlier one, and reads the file again. A column of the file names the pictures of each animal; " +
        "otherwise a picture belongs to the animal whose number or name its name or its folder is, such as `A12.jpg`, `A12-2.jpg` or `Bella/1.jpg`. " +
        "A table `photos.csv` in the archive can say what they show, in the columns `file`, `alt`, `focusX` and `focusY`.",
      query: { fileName },
      streams: {
        types: archiveTypes,
        description: `A zip archive of at most ${MAX_ARCHIVE_BYTES / MIB} MiB and ${MAX_ARCHIVE_FILES} files, without a password.`,
      },
      success: { ...one, description: "The import, in the state `reading`." },
      refusals: ["not_found", "unreadable_file", "import_not_ready", "limit_reached"],
      run: (call, services) =>
        inPlace(call, services, async (place) => {
          const uploaded = uploadIn(call);
          if (!uploaded.ok) return uploaded;
          const { import: id } = call.params;
          return shown(await addArchive(context, place, id, uploaded.value), services);
        }),
    }),
    endpoint({
      ...staff,
      operationId: "listImports",
      method: "GET",
      path,
      summary: "List imports",
      description: "Newest first, at most 100. An import is listed for 30 days.",
      success: {
        status: 200,
        description: "The imports.",
        schema: importsShape,
        example: [importExample],
      },
      refusals: ["not_found"],
      run: (call, services) =>
        inPlace(call, services, async (place) => {
          const now = services.clock.now();
          return done((await listImports(context, place)).map((row) => importShown(row, now)));
        }),
    }),
    endpoint({
      ...staff,
      operationId: "getImport",
      method: "GET",
      path: `${path}/:import`,
      summary: "Get an import",
      description: "Its state, its progress and what became of the animals.",
      success: one,
      refusals: ["not_found"],
      run: (call, services) =>
        inPlace(call, services, async (place) =>
          shown(await readImportRow(context, place, call.params.import), services),
        ),
    }),
    endpoint({
      ...staff,
      operationId: "getImportMapping",
      method: "GET",
      path: `${path}/:import/mapping`,
      summary: "Get the mapping of an import",
      description:
        "What each column of the file is used for, with three values of it, what has to be answered, and the rows with faults, grouped.",
      success: {
        status: 200,
        description: "What the file contains.",
        schema: importPlanShape,
        example: planExample,
      },
      refusals: ["not_found", "unreadable_file", "import_not_ready"],
      run: (call, services) =>
        inPlace(call, services, (place) => readPlan(context, place, call.params.import)),
    }),
    endpoint({
      ...staff,
      operationId: "mapImport",
      method: "PUT",
      path: `${path}/:import/mapping`,
      summary: "Map the columns of an import",
      description:
        "Says what the columns and values of the file mean. It replaces everything that was said before, and the file is read again.",
      body: ImportRequestSchema,
      success: { ...one, description: "The import, in the state `reading`." },
      refusals: ["not_found", "invalid_value", "import_not_ready"],
      run: (call, services) =>
        inPlace(call, services, async (place) =>
          shown(await mapImport(context, place, call.params.import, call.body), services),
        ),
    }),
    endpoint({
      ...staff,
      operationId: "runImport",
      records: recordOf("import.started"),
      method: "POST",
      path: `${path}/:import/run`,
      summary: "Run an import",
      description:
        "Brings the animals into the catalogue. The server does it on its own, and continues after a restart.",
      success: { ...one, description: "The import, in the state `running`." },
      refusals: ["not_found", "unreadable_file", "import_not_ready"],
      run: (call, services) =>
        inPlace(call, services, async (place) =>
          shown(await startImport(context, place, call.params.import, call.actor), services),
        ),
    }),
    endpoint({
      ...staff,
      operationId: "cancelImport",
      records: recordOf("import.cancelled"),
      method: "POST",
      path: `${path}/:import/cancel`,
      summary: "Cancel an import",
      description: "Animals that were imported already stay. Undo the import to remove them.",
      success: { ...one, description: "The import, in the state `cancelled`." },
      refusals: ["not_found", "import_not_ready"],
      run: (call, services) =>
        inPlace(call, services, async (place) =>
          shown(await cancelImport(context, place, call.params.import), services),
        ),
    }),
    endpoint({
      ...staff,
      operationId: "undoImport",
      method: "POST",
      path: `${path}/:import/undo`,
      summary: "Undo an import",
      description:
        "Removes the animals that the import has added and restores those that it has changed, within 48 hours of its end. Animals that were changed since stay as they are, and are named.",
      success: { ...one, description: "The import, in the state `undoing`." },
      refusals: ["not_found", "import_not_ready"],
      run: (call, services) =>
        inPlace(call, services, async (place) =>
          shown(await beginUndo(context, place, call.params.import, call.actor), services),
        ),
    }),
  ] as const;
}

const encoded: Problem = problem(
  "unsupported_media_type",
  "Send the file without a Content-Encoding.",
);

/** Records a call about the import that it returns. */
function recordOf(type: AuditType): Records {
  return (_call, value) => ({ type, data: { import: { id: memberNamed(value, "id") } } });
}
