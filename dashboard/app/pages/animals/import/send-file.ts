import type { Result } from "../../../../../lib/base/result.ts";
import type { ImportView } from "../../../../../lib/import/job/shapes.ts";
import { API, at, type Problem } from "../../../api.ts";
import { sendBody } from "../../../send-body.ts";
import type { Where } from "../catalogue.tsx";

/** The files of an import. */
export interface ImportFiles {
  /** A table, or an archive with a table and photos. */
  readonly main: File;
  /** An archive of photos beside the table. */
  readonly photos?: File;
}

/** Tells which of the chosen files are imported: a table, an archive, or both. */
export function filesOf(chosen: readonly File[]): ImportFiles | undefined {
  const archives = chosen.filter(isArchive);
  const table = chosen.find((file) => !isArchive(file));
  const [archive] = archives;
  if (table === undefined) return archive && { main: archive };
  return { main: table, ...(archive !== undefined && { photos: archive }) };
}

function isArchive({ name, type }: File): boolean {
  return /\.zip$/i.test(name) || type === "application/zip";
}

const MAX_FILE_NAME = 200;

/** Uploads a file of animals. */
export function sendFile(
  { account, environment }: Where,
  file: File,
  onSent: (sent: number) => void,
  stop: AbortSignal,
): Promise<Result<ImportView, Problem>> {
  const path = at`/accounts/${account.id}/${environment}/imports`;
  return send("POST", path, file, onSent, stop);
}

/** Uploads an archive of photos for an import. */
export function sendPhotos(
  { account, environment }: Where,
  id: string,
  file: File,
  onSent: (sent: number) => void,
  stop: AbortSignal,
): Promise<Result<ImportView, Problem>> {
  const path = at`/accounts/${account.id}/${environment}/imports/${id}/photos`;
  return send("PUT", path, file, onSent, stop);
}

function send(
  method: "POST" | "PUT",
  path: string,
  file: File,
  onSent: (sent: number) => void,
  stop: AbortSignal,
): Promise<Result<ImportView, Problem>> {
  const query = new URLSearchParams({ fileName: file.name.slice(0, MAX_FILE_NAME) });
  const address = `${API}${path}?${query}`;
  return sendBody({ method, address, body: file, type: "application/octet-stream", onSent, stop });
}
