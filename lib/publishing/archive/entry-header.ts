import { cutOff, skip, type ByteSource } from "./byte-source.ts";
import { MAX_EXTENSIONS, MAX_EXTENSION_BYTES } from "./limits.ts";
import { readPax, type PaxHeader } from "./pax.ts";
import { invalid, quoted, tooLarge } from "./refused.ts";
import { BLOCK, padding } from "./tar-format.ts";
import { readHeader, type TarHeader } from "./tar-header.ts";

/** What an archive says of one thing in it. */
export interface EntryHeader {
  /** As written. */
  readonly name: string;
  readonly kind: EntryKind;
  /** Of the content, in bytes. */
  readonly size: number;
}

export type EntryKind =
  | "file"
  | "directory"
  | "hard link"
  | "symbolic link"
  | "device"
  | "named pipe"
  | "sparse file"
  | "thing of an unknown kind";

/** By the letter of the header: POSIX's, and those that GNU added. */
const kinds: Readonly<Record<string, EntryKind>> = {
  "0": "file",
  "1": "hard link",
  "2": "symbolic link",
  "3": "device",
  "4": "device",
  "5": "directory",
  "6": "named pipe",
  "7": "file",
  S: "sparse file",
};

/** What goes before an entry and says something of it. */
interface Extensions {
  longName?: Uint8Array;
  pax?: PaxHeader;
}

/**
 * The header of the next entry, with all that headers before it say; undefined at the end of
 * the archive. `first`: there was none before it.
 */
export async function nextHeader(
  source: ByteSource,
  first: boolean,
): Promise<EntryHeader | undefined> {
  const extensions: Extensions = {};
  for (let count = 0; ; count++) {
    const block = await source.exactly(BLOCK);
    if (block === undefined) throw cutOff();
    if (block.every((byte) => byte === 0)) {
      if (count > 0) throw cutOff();
      return undefined;
    }
    const header = readHeader(block);
    if (header === undefined) {
      throw invalid(
        first && count === 0
          ? "This is gzip, but what is in it is not a tar archive."
          : "The archive is damaged: a header in it cannot be read.",
      );
    }
    if (!(await extended(source, header, extensions))) return describe(header, extensions);
    if (count === MAX_EXTENSIONS)
      throw invalid("The archive has too many headers before one entry.");
  }
}

/** True if the header only says something of the entry that follows; that is taken down then. */
async function extended(
  source: ByteSource,
  { type, size }: TarHeader,
  extensions: Extensions,
): Promise<boolean> {
  if (type !== "L" && type !== "K" && type !== "x" && type !== "g") return false;
  if (size > MAX_EXTENSION_BYTES) {
    throw tooLarge(
      `The archive has a header of ${size} bytes; at most ${MAX_EXTENSION_BYTES} are allowed.`,
    );
  }
  const content = await source.exactly(size);
  if (content === undefined) throw cutOff();
  await skip(source, padding(size));
  if (type === "L") extensions.longName = content;
  if (type === "x" || type === "g") {
    const pax = readPax(content);
    if (pax === undefined) throw invalid("The archive is damaged: a pax header cannot be read.");
    if (type === "x") extensions.pax = pax;
    else if (pax.path !== undefined || pax.size !== undefined || pax.sparse) {
      throw invalid("The archive gives all its entries one name or size.");
    }
  }
  return true;
}

function describe(header: TarHeader, { longName, pax }: Extensions): EntryHeader {
  const written = pax?.path ?? (longName === undefined ? header.name : unterminated(longName));
  const name = decoded(written);
  const kind = kindOf(header.type, name, pax?.sparse ?? false);
  const size = pax?.size ?? header.size;
  if (kind !== "file" && kind !== "directory") return { name, kind, size: 0 };
  if (kind === "directory" && size > 0)
    throw invalid(`${quoted(name)} is a directory with content.`);
  return { name, kind, size };
}

function kindOf(type: string, name: string, sparse: boolean): EntryKind {
  if (sparse) return "sparse file";
  const kind = kinds[type] ?? "thing of an unknown kind";
  // Before there was a letter for directories, a slash at the end made one.
  return kind === "file" && name.endsWith("/") ? "directory" : kind;
}

/** GNU ends a long name with a NUL. */
function unterminated(name: Uint8Array): Uint8Array {
  return name.at(-1) === 0 ? name.subarray(0, -1) : name;
}

const utf8Decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decoded(name: Uint8Array): string {
  try {
    return utf8Decoder.decode(name);
  } catch {
    throw invalid(`The name ${quoted(new TextDecoder().decode(name))} is not valid UTF-8.`);
  }
}
