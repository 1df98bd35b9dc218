import { done } from "../../base/result.ts";
import type { ValueOf } from "../../base/schema.ts";
import { idParameter } from "../../http/parameters.ts";
import type { importPets } from "../import.ts";
import { petShown, petStatuses, RESTORE_MS, type DeletedPet } from "../model.ts";
import { petExample } from "../schema.ts";
import {
  type CountedPets,
  deletedPetsShape,
  importShape,
  petCountsShape,
  PetImportSchema,
} from "../shapes.ts";
import { list, operation } from "./operation.ts";
import { categoryId, name } from "./pets.ts";

/** Enough for a thousand rows with the longest names. */
const MAX_IMPORT_BYTES: number = 4 * 1024 * 1024;

const countPets = list({
  path: "/pets/counts",
  management: {
    operationId: "countAnimals",
    role: "viewer",
    filters: { name, categoryId },
    pages: "all",
  },
  summary: "Count animals by status",
  description:
    "The number of animals in each status, of all animals or of those that match the filters. Deleted animals are not counted.",
  success: "The current counts, one for each status.",
  items: {
    schema: petCountsShape,
    example: [
      { status: "available", count: 12 },
      { status: "pending", count: 2 },
      { status: "sold", count: 31 },
    ],
    show: ({ status: of, count }: CountedPets) => ({ status: of, count }),
  },
  select: async ({ store: { pets } }, { catalogueId, query }) => {
    const counted: CountedPets[] = [];
    for (const one of petStatuses) {
      const count = await pets.count(catalogueId, { ...query, status: one });
      counted.push({ id: counted.length, status: one, count });
    }
    return done({ rows: () => counted });
  },
});

/** Imports rows. The code is loaded on demand, because most processes import nothing. */
export const addRows: typeof importPets = async (...rows) =>
  (await import("../import.ts")).importPets(...rows);

const importAnimals = operation({
  method: "POST",
  path: "/pets/import",
  management: {
    operationId: "importAnimals",
    role: "staff",
    maxBodyBytes: MAX_IMPORT_BYTES,
    bulk: true,
  },
  summary: "Import animals",
  description:
    "Takes up to 1,000 rows, adds the valid ones in order, and reports the faults of the others. If the server becomes unavailable on the way, the remaining rows fail with `unavailable`. A dry run only checks the rows.",
  body: PetImportSchema,
  success: "The number of added animals, and the rows that failed.",
  output: {
    schema: importShape,
    example: {
      added: 1,
      failures: [
        { index: 1, problem: { code: "unknown_category", message: "There is no category 9." } },
      ],
      categories: [],
    },
  },
  refusals: ["invalid_value"],
  run: (context, { catalogueId, body }) => addRows(context, catalogueId, body),
});

const listDeleted = list({
  path: "/pets/deleted",
  management: {
    operationId: "listDeletedAnimals",
    role: "viewer",
    filters: {},
    pages: { order: "desc", after: idParameter("Only animals older than the one with this ID.") },
  },
  summary: "List animals that can be restored",
  description: "Animals that were deleted less than 48 hours ago, newest first.",
  success: "One page. `Link` leads to the next one, if any.",
  items: {
    schema: deletedPetsShape,
    example: [
      {
        ...petExample,
        deletedAt: "2026-11-20T09:30:00.000Z",
        restorableUntil: "2026-11-22T09:30:00.000Z",
      },
    ],
    show: ({ deletedAt, ...pet }: DeletedPet): ValueOf<typeof deletedPetsShape>[number] => ({
      ...petShown(pet),
      deletedAt,
      restorableUntil: deletedAt + RESTORE_MS,
    }),
  },
  select: ({ store: { pets } }, { catalogueId, now }) =>
    done({ rows: (page) => pets.deleted(catalogueId, now - RESTORE_MS, page) }),
});

/** The operations on animals that only the management API offers. */
export const staffPetOperations = [countPets, importAnimals, listDeleted] as const;
