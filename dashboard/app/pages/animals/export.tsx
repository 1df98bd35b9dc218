import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { done, type Result } from "../../../../lib/base/result.ts";
import { exportHeader, exportRow } from "../../../../lib/import/export-rows.ts";
import { call, type Problem } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { download } from "../../components/copy.tsx";
import { toast } from "../../components/toasts.tsx";
import { animalsWords } from "../../words/late.tsx";
import { problemText } from "../../words/words.ts";
import { categoryName, inCatalogue, type Where } from "./catalogue.tsx";
import { patiently } from "./patiently.ts";

/** Downloads all animals of a catalogue as a CSV file. */
export function Export({ where }: { readonly where: Where }): JSX.Element {
  const count = useSignal<number | undefined>(undefined);
  const control = useRef(new AbortController());
  useEffect(
    () => () => {
      control.current.abort();
    },
    [],
  );
  const animals = animalsWords.words();
  const write = async (): Promise<void> => {
    const { signal } = control.current;
    count.value = 0;
    const written = await writePets(where, signal, (soFar) => {
      count.value = soFar;
    });
    count.value = undefined;
    if (signal.aborted) return;
    if (!written.ok) {
      toast(problemText(written.failure));
      return;
    }
    const { parts, count: all, formulas } = written.value;
    download(`animals-${where.environment}.csv`, "text/csv", parts);
    toast(animals.exported(all) + (formulas > 0 ? ` ${animals.formulas(formulas)}` : ""));
  };
  return (
    <Button small look="quiet" busy={count.value !== undefined} onClick={() => void write()}>
      {count.value === undefined ? animals.export : animals.exporting(count.value)}
    </Button>
  );
}

interface Written {
  readonly parts: readonly string[];
  readonly count: number;
  /** Number of names that a spreadsheet may read as formulas. */
  readonly formulas: number;
}

const PAGE = 1_000;

/** Writes the format that an import reads, oldest first. Names categories, whose ids differ between catalogues. */
async function writePets(
  where: Where,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<Result<Written, Problem>> {
  const categories = await call(
    "GET /accounts/:account/:environment/categories",
    inCatalogue(where),
  );
  if (!categories.ok) return categories;
  const parts = [exportHeader(",")];
  let count = 0;
  let formulas = 0;
  for (let after = 0; ;) {
    const query = { after, limit: PAGE, include: "profile" } as const;
    const page = await patiently(signal, () =>
      call("GET /accounts/:account/:environment/pets", { ...inCatalogue(where), query }),
    );
    if (!page.ok) return page;
    const pets = page.value;
    const rows = pets.map((pet) =>
      exportRow(pet, categoryName(categories.value, pet.categoryId), pet.profile ?? {}, ","),
    );
    parts.push(rows.join(""));
    count += pets.length;
    formulas += pets.filter(({ name }) => /^[=+\-@]/.test(name)).length;
    after = pets.at(-1)?.id ?? after;
    onProgress(count);
    if (signal.aborted || pets.length < PAGE) return done({ parts, count, formulas });
  }
}
