import { done, refused, type Result } from "../base/result.ts";
import type { PhotoFocus } from "../catalogue/model-profile.ts";
import { MAX_PICTURE_BYTES } from "../photos/limits.ts";
import { DESCRIPTIONS } from "./export-archive.ts";
import { columnForm } from "./fields.ts";
import { openTable } from "./reading/open.ts";
import { joined } from "../base/parts.ts";
import { TableRefused, type Cell, type TableSource } from "./table.ts";
import { MAX_FILE_BYTES } from "./limits.ts";
import { openArchive, type ArchivedFile, type StoredBytes } from "./zip/archive.ts";

/** A picture of an archive, and what the archive says about it. */
export interface ArchivedPicture {
  readonly picture: Uint8Array;
  readonly alt?: string;
  readonly focus?: PhotoFocus;
}

/** A zip archive with photos, perhaps beside the table of the animals. */
export interface PhotoArchive {
  /** The names of all files. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Reads a picture. Returns the reason if it cannot. */
  read(name: string): Promise<Result<ArchivedPicture, string>>;
  /** Returns the table of the animals. Throws `TableRefused` if the archive has none, or several. */
  table(): TableSource;
}

const MAX_DESCRIPTIONS_BYTES = 8 * 1_048_576;
/** Names that end so are tables, unless they are read by chance: `README.txt`. */
const TABLE = /\.(?:csv|tsv|xlsx|json|ndjson|jsonl)(?:\.gz)?$/iu;
const TEXT = /\.txt$/iu;
const MAX_NAMED = 5;

/** Opens an archive of photos. Throws `TableRefused` if it cannot be used. */
export async function openPhotoArchive(source: StoredBytes): Promise<PhotoArchive> {
  const archive = await openArchive(source);
  const files = new Map<string, ArchivedFile>();
  // The first of a name counts.
  for (const file of archive.files) if (!files.has(file.name)) files.set(file.name, file);
  const descriptions = archive.files.find(({ name }) => name === DESCRIPTIONS);
  let described: Promise<Descriptions> | undefined;
  const describe = (): Promise<Descriptions> =>
    (described ??=
      descriptions === undefined
        ? Promise.resolve(new Map())
        : readDescriptions({
            open: () => archive.bytes(descriptions, MAX_DESCRIPTIONS_BYTES),
          }).catch(nothing));
  return {
    names: [...files.keys()],
    has: (name) => files.has(name),
    read: async (name) => {
      const file = files.get(name);
      if (file === undefined) return refused("the archive has no such file");
      try {
        const parts: Uint8Array[] = [];
        for await (const part of archive.bytes(file, MAX_PICTURE_BYTES)) parts.push(part);
        return done({ picture: joined(parts), ...(await describe()).get(name) });
      } catch (error) {
        if (!(error instanceof TableRefused)) throw error;
        return refused(
          error.fault.code === "too_large"
            ? `it is larger than ${MAX_PICTURE_BYTES / 1_048_576} MiB`
            : "it is damaged",
        );
      }
    },
    table: () => {
      const file = tableAmong([...files.values()]);
      return { open: () => archive.bytes(file, MAX_FILE_BYTES) };
    },
  };
}

/** Finds the table of the animals: the only one, or the only one that is in no folder. */
function tableAmong(files: readonly ArchivedFile[]): ArchivedFile {
  const tables = files.filter(({ name }) => TABLE.test(name) && name !== DESCRIPTIONS);
  const candidates = tables.length > 0 ? tables : files.filter(({ name }) => TEXT.test(name));
  const depths = candidates.map(({ name }) => name.split("/").length);
  const [file, ...others] = candidates.filter((_, index) => depths[index] === Math.min(...depths));
  if (file !== undefined && others.length === 0) return file;
  throw new TableRefused({
    code: "no_single_table",
    names: candidates.slice(0, MAX_NAMED).map(({ name }) => name),
  });
}

/** A table that cannot be read describes no photo: the photos are worth more than their texts. */
function nothing(error: unknown): Descriptions {
  if (error instanceof TableRefused) return new Map();
  throw error;
}

type Descriptions = ReadonlyMap<string, Omit<ArchivedPicture, "picture">>;

/** Reads what an archive says about its photos. */
async function readDescriptions(source: TableSource): Promise<Descriptions> {
  const described = new Map<string, Omit<ArchivedPicture, "picture">>();
  const opened = await openTable(source);
  if (!opened.ok) return described;
  const { value: table } = opened;
  const [file, alt, x, y] = ["file", "alt", "focusX", "focusY"].map((name) =>
    table.columns.findIndex((column) => columnForm(column) === columnForm(name)),
  );
  for await (const batch of table.rows()) {
    for (const row of batch) {
      if (!("cells" in row)) continue;
      const at = (index: number | undefined): Cell => row.cells[index ?? -1] ?? "";
      const [shows, left, top] = [String(at(alt)).trim(), percentIn(at(x)), percentIn(at(y))];
      described.set(String(at(file)), {
        ...(shows !== "" && { alt: shows }),
        ...(left !== undefined && top !== undefined && { focus: { x: left, y: top } }),
      });
    }
  }
  return described;
}

function percentIn(cell: Cell): number | undefined {
  const text = String(cell).trim();
  const value = Number(text);
  return text !== "" && Number.isInteger(value) && value >= 0 && value <= 100 ? value : undefined;
}
