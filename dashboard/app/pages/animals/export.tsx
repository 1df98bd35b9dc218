import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { systemClock } from "../../../../lib/base/clock.ts";
import { done, refused, type Result } from "../../../../lib/base/result.ts";
import type { PhotoShown } from "../../../../lib/catalogue/profile-schema.ts";
import type { ExportedPet } from "../../../../lib/import/export-archive.ts";
import { exportHeader, exportRow } from "../../../../lib/import/export-rows.ts";
import type { PhotoReads } from "../../../../lib/management/client-photos.ts";
import { API, at, call, type Problem } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { download } from "../../components/copy.tsx";
import { toast } from "../../components/toasts.tsx";
import { animalsWords } from "../../words/late.tsx";
import { problemText } from "../../words/words.ts";
import { categoryName, inCatalogue, type Where } from "./catalogue.tsx";
import { patiently } from "./patiently.ts";

/** Downloads all animals of a catalogue as a CSV file, or with their photos as a zip archive. */
export function Export({ where }: { readonly where: Where }): JSX.Element {
  const running = useSignal<{ readonly photos: boolean; readonly count: number } | undefined>(
    undefined,
  );
  const control = useRef(new AbortController());
  useEffect(
    () => () => {
      control.current.abort();
    },
    [],
  );
  const animals = animalsWords.words();
  const run = async (photos: boolean): Promise<void> => {
    const { signal } = control.current;
    const onProgress = (count: number): void => {
      running.value = { photos, count };
    };
    onProgress(0);
    const written = await (photos ? writeArchive : writePets)(where, signal, onProgress);
    running.value = undefined;
    if (signal.aborted) return;
    if (!written.ok) {
      toast(problemText(written.failure));
      return;
    }
    const { parts, count: all, formulas } = written.value;
    const name = `animals-${where.environment}`;
    if (photos) download(`${name}.zip`, "application/zip", parts);
    else download(`${name}.csv`, "text/csv", parts);
    toast(animals.exported(all) + (formulas > 0 ? ` ${animals.formulas(formulas)}` : ""));
  };
  return (
    <>
      {[false, true].map((photos) => (
        <Button
          key={String(photos)}
          small
          look="quiet"
          busy={running.value?.photos === photos}
          disabled={running.value !== undefined}
          onClick={() => void run(photos)}
        >
          {running.value?.photos === photos
            ? animals.exporting(running.value.count)
            : photos
              ? animals.exportPhotos
              : animals.export}
        </Button>
      ))}
    </>
  );
}

interface Written {
  readonly parts: readonly BlobPart[];
  /** Number of animals. */
  readonly count: number;
  /** Number of names that a spreadsheet may read as formulas. */
  readonly formulas: number;
}

type Write = (
  where: Where,
  signal: AbortSignal,
  onProgress: (count: number) => void,
) => Promise<Result<Written, Problem>>;

const PAGE = 1_000;

/** Ends an export early. */
class Refused extends Error {
  override readonly name = "Refused";
  readonly problem: Problem;

  constructor(reason: Problem) {
    super(reason.message);
    this.problem = reason;
  }
}

/** Reads all animals, oldest first. Names categories, whose ids differ between catalogues. Throws `Refused`. */
async function* pagesOf(where: Where, signal: AbortSignal): AsyncGenerator<readonly ExportedPet[]> {
  const recorded = await call("POST /accounts/:account/:environment/exports", {
    ...inCatalogue(where),
    body: { what: "animals" },
  });
  if (!recorded.ok) throw new Refused(recorded.failure);
  const categories = await call(
    "GET /accounts/:account/:environment/categories",
    inCatalogue(where),
  );
  if (!categories.ok) throw new Refused(categories.failure);
  for (let after = 0; ;) {
    const query = { after, limit: PAGE, include: "profile" } as const;
    const page = await patiently(signal, () =>
      call("GET /accounts/:account/:environment/pets", { ...inCatalogue(where), query }),
    );
    if (!page.ok) throw new Refused(page.failure);
    yield page.value.map(({ profile = {}, ...pet }) => ({
      pet,
      category: categoryName(categories.value, pet.categoryId),
      profile,
    }));
    after = page.value.at(-1)?.id ?? after;
    if (signal.aborted || page.value.length < PAGE) return;
  }
}

/** Counts the animals of a page. */
function counted(written: Written, page: readonly ExportedPet[]): Written {
  return {
    ...written,
    count: written.count + page.length,
    formulas: written.formulas + page.filter(({ pet }) => /^[=+\-@]/.test(pet.name)).length,
  };
}

const nothing: Written = { parts: [], count: 0, formulas: 0 };

/** Writes the CSV that an import reads. */
const writePets: Write = (where, signal, onProgress) =>
  refusable(async () => {
    const parts = [exportHeader(",")];
    let written = nothing;
    for await (const page of pagesOf(where, signal)) {
      const rows = page.map(({ pet, category, profile }) => exportRow(pet, category, profile, ","));
      parts.push(rows.join(""));
      written = counted(written, page);
      onProgress(written.count);
    }
    return { ...written, parts };
  });

/** Writes the archive that an import reads. The browser keeps its parts outside of memory. */
const writeArchive: Write = (where, signal, onProgress) =>
  refusable(async () => {
    const { exportArchive } = await import("../../../../lib/import/export-archive.ts");
    const { readPhoto } = await import("../../../../lib/management/client-photos.ts");
    let written = nothing;
    const animals = async function* (): AsyncGenerator<readonly ExportedPet[]> {
      for await (const page of pagesOf(where, signal)) {
        written = counted(written, page);
        onProgress(written.count);
        yield page;
      }
    };
    const open: PhotoReads["open"] = (_, { hash, file }) =>
      fetch(API + at`/photos/${hash}/${file}`, { signal });
    const picture = async (photo: PhotoShown): Promise<Uint8Array | undefined> => {
      const read = await patiently(signal, () => readPhoto({ open }, photo));
      if (read.ok) return read.value;
      if (signal.aborted || read.failure.code !== "not_found") throw new Refused(read.failure);
      return undefined;
    };
    const now = systemClock.now();
    const parts: Blob[] = [];
    for await (const part of exportArchive({ animals, picture }, { delimiter: ",", at: now })) {
      parts.push(new Blob([Uint8Array.from(part)]));
    }
    return { ...written, parts };
  });

async function refusable(write: () => Promise<Written>): Promise<Result<Written, Problem>> {
  try {
    return done(await write());
  } catch (error) {
    if (error instanceof Refused) return refused(error.problem);
    throw error;
  }
}
