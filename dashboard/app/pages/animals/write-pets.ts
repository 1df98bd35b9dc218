import { csvRow } from "../../../../lib/base/csv.ts";
import { done, type Result } from "../../../../lib/base/result.ts";
import type { Category } from "../../../../lib/model/category.ts";
import type { Pet } from "../../../../lib/model/pet.ts";
import { get, type Problem } from "../../api.ts";
import { categoryName, pathIn, type Where } from "./catalogue.ts";
import { patiently } from "./patiently.ts";

/** All animals of a catalogue as a CSV file. */
export interface Written {
  readonly parts: readonly string[];
  readonly count: number;
  /** Names that a spreadsheet may take for formulas. */
  readonly formulas: number;
}

const PAGE = 1_000;

/** Writes page by page, oldest first, what an import reads back: categories go by name, their ids differ elsewhere. */
export async function writePets(
  where: Where,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<Result<Written, Problem>> {
  const path = pathIn(where);
  const categories = await get<readonly Category[]>(`${path}/categories`);
  if (!categories.ok) return categories;
  const parts = [csvRow(["id", "name", "category", "status"])];
  let count = 0;
  let formulas = 0;
  for (let after = 0; ;) {
    const query = { after, limit: PAGE };
    const page = await patiently(signal, () => get<readonly Pet[]>(`${path}/pets`, query));
    if (!page.ok) return page;
    const pets = page.value;
    const rows = pets.map(({ id, name, categoryId, status }) =>
      csvRow([id, name, categoryName(categories.value, categoryId), status]),
    );
    parts.push(rows.join(""));
    count += pets.length;
    formulas += pets.filter(({ name }) => /^[=+\-@]/.test(name)).length;
    after = pets.at(-1)?.id ?? after;
    onProgress(count);
    if (signal.aborted || pets.length < PAGE) return done({ parts, count, formulas });
  }
}
