import { HEAD_BYTES } from "../limits.ts";
import {
  TableRefused,
  type ReadingOptions,
  type Table,
  type TableFault,
  type TableSource,
} from "../table.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { bounded, gunzipped, headOf, isGzip } from "./bytes.ts";
import { csvTable } from "./csv.ts";
import { checkUtf8, decoded, decodedHead, shownEncoding } from "./encoding.ts";
import { jsonTable } from "./json.ts";
import { foreignKind, foreignText, isJson, isZip } from "./kind.ts";
import { isBlankText } from "./texts.ts";
import { workbookTable, type Workbooks } from "./workbook.ts";

/** What the reading of a file needs from outside. */
export interface ReadingPorts {
  /** Reads workbooks; without it, they are refused. */
  readonly workbooks?: Workbooks | undefined;
}

/**
 * Opens a file as a table. Its content decides how it is read: encoding, compression, format, delimiter and header. What
 * is not certain is asked, and what cannot be read is refused as a whole. The file is read several times.
 */
export async function openTable(
  source: TableSource,
  options: ReadingOptions = {},
  ports: ReadingPorts = {},
): Promise<Result<Table, TableFault>> {
  try {
    return done(await tableIn(bounded(source), options, ports));
  } catch (error) {
    if (error instanceof TableRefused) return refused(error.fault);
    throw error;
  }
}

async function tableIn(
  file: TableSource,
  { encoding: named }: ReadingOptions,
  { workbooks }: ReadingPorts,
): Promise<Table> {
  const gzip = isGzip((await headOf(file, 2)).bytes);
  const source = gzip ? gunzipped(file) : file;
  const head = await headOf(source, HEAD_BYTES);
  if (head.bytes.length === 0) throw new TableRefused({ code: "empty" });
  const kind = foreignKind(head.bytes);
  if (kind !== undefined) throw new TableRefused({ code: "not_a_table", found: kind });
  if (isZip(head.bytes)) return await workbookTable(source, gzip, workbooks);
  const shown = shownEncoding(head.bytes);
  const encoding = (shown.marked ? undefined : named) ?? shown.encoding ?? "utf-8";
  if (shown.encoding === undefined && named === undefined) await checkUtf8(source);
  const text = decodedHead(head.bytes, encoding, head.whole);
  const found = foreignText(text);
  if (found !== undefined) throw new TableRefused({ code: "not_a_table", found });
  if (head.whole && isBlankText(text)) throw new TableRefused({ code: "empty" });
  for await (const _ of decoded(source, encoding));
  const begun = { text, encoding, gzip, whole: head.whole };
  return isJson(text) ? await jsonTable(source, begun) : csvTable(source, begun);
}
