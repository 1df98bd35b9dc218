import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { csvRow } from "../../../../lib/base/csv.ts";
import { done, type Result } from "../../../../lib/base/result.ts";
import type { Category } from "../../../../lib/model/category.ts";
import type { Pet } from "../../../../lib/model/pet.ts";
import { get, type Problem } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { download } from "../../components/download.ts";
import { toast } from "../../components/toasts.tsx";
import { said } from "../../words/said.ts";
import { words } from "../../words/words.ts";
import { categoryName, pathIn, type Where } from "./catalogue.ts";

/** Writes all animals of a catalogue into a file, which an import reads back. */
export function Export({
  where,
  categories,
}: {
  readonly where: Where;
  readonly categories: readonly Category[] | undefined;
}): JSX.Element {
  const count = useSignal<number | undefined>(undefined);
  const left = useRef(false);
  useEffect(
    () => () => {
      left.current = true;
    },
    [],
  );
  const { animals } = words();
  const write = async (): Promise<void> => {
    count.value = 0;
    const written = await allPets(where, categories, (so) => {
      count.value = so;
      return !left.current;
    });
    count.value = undefined;
    if (left.current) return;
    if (!written.ok) {
      toast(said(written.failure));
      return;
    }
    download(`animals-${where.environment}.csv`, "text/csv", written.value.parts);
    toast(animals.exported(written.value.count));
  };
  return (
    <Button
      small
      look="quiet"
      busy={count.value !== undefined}
      disabled={categories === undefined}
      onClick={() => void write()}
    >
      {count.value === undefined ? animals.export : animals.exporting(count.value)}
    </Button>
  );
}

const PAGE = 1_000;

interface Written {
  readonly parts: readonly string[];
  readonly count: number;
}

/** Page by page, oldest first, as long as `goOn` says so. */
async function allPets(
  where: Where,
  categories: readonly Category[] | undefined,
  goOn: (count: number) => boolean,
): Promise<Result<Written, Problem>> {
  const parts = [csvRow(["id", "name", "category", "status"])];
  let count = 0;
  for (let after = 0; ;) {
    const page = await get<readonly Pet[]>(`${pathIn(where)}/pets`, { after, limit: PAGE });
    if (!page.ok) return page;
    const rows = page.value.map(({ id, name, categoryId, status }) =>
      csvRow([id, name, categoryName(categories, categoryId), status]),
    );
    parts.push(rows.join(""));
    count += rows.length;
    after = page.value.at(-1)?.id ?? after;
    if (!goOn(count) || page.value.length < PAGE) return done({ parts, count });
  }
}
