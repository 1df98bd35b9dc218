import { parseJson } from "../../base/json.ts";
import { problem, type FieldError } from "../../base/problem.ts";
import { check } from "../../base/check.ts";
import { ArchiveRefused } from "../archive/refused.ts";
import { faultsOfSiteFile, type NamedFile } from "../model/site-file-faults.ts";
import { SiteFileSchema } from "../model/site-file.ts";
import type { SiteFile } from "../model/site-file.ts";

const KIB = 1_024;
const MAX_BYTES: number = 256 * KIB;
const MAX_DEPTH = 16;
/** Bounds the response, because the client decides how many errors there are. */
const MAX_ERRORS = 20;
const WHAT = "petstore.site.json";

/** Refuses a large site file before it is read. */
export function checkSiteFileSize(size: number): void {
  if (size > MAX_BYTES) throw refusal(`${WHAT} is larger than ${MAX_BYTES / KIB} KiB.`);
}

/** Parses the site file of a site with these files; refuses it with all its errors. Returns `{}` without one. */
export function readSiteFile(
  content: Uint8Array | undefined,
  files: readonly NamedFile[],
): SiteFile {
  if (content === undefined) return {};
  const parsed = parseJson(content, MAX_DEPTH, WHAT);
  if (!parsed.ok) throw faulty([parsed.failure]);
  const checked = check(SiteFileSchema, parsed.value, WHAT);
  if (!checked.ok) throw faulty(checked.failure);
  const { $schema: _, ...site } = checked.value;
  const [first, ...others] = faultsOfSiteFile(site, files);
  if (first !== undefined) throw faulty([first, ...others.slice(0, MAX_ERRORS - 1)]);
  return site;
}

function faulty(errors: readonly [FieldError, ...FieldError[]]): ArchiveRefused {
  const [first] = errors;
  const place = first.pointer === "" ? "" : `${WHAT} at ${first.pointer}: `;
  const more = errors.length === 1 ? "" : ` (And ${errors.length - 1} more.)`;
  return refusal(`${place}${first.message}${more}`, errors);
}

function refusal(message: string, errors?: readonly FieldError[]): ArchiveRefused {
  const more = errors === undefined ? {} : { errors };
  return new ArchiveRefused(problem("invalid_site_file", message, more));
}
