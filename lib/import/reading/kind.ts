/** The first bytes of files that are no tables, and what to call them. */
const SIGNS: readonly (readonly [string, string])[] = [
  ["%PDF", "a PDF document"],
  ["\u00d0\u00cf\u0011\u00e0", "an old Excel workbook (.xls), or one with a password"],
  ["\u0089PNG", "a PNG image"],
  ["\u00ff\u00d8\u00ff", "a JPEG image"],
  ["GIF8", "a GIF image"],
  ["RIFF", "an image, a sound or a film"],
  ["SQLite format 3\0", "an SQLite database"],
  ["BZh", "a bzip2 file"],
  ["\u00fd7zXZ", "an xz file"],
  ["7z\u00bc\u00af", "a 7z archive"],
  ["Rar!", "a RAR archive"],
  ["\u0028\u00b5\u002f\u00fd", "a Zstandard file"],
  ["{\\rtf", "a rich text document"],
];

/** Returns what a file is if its first bytes show that it is no table. */
export function foreignKind(head: Uint8Array): string | undefined {
  const begins = String.fromCharCode(...head.subarray(0, 16));
  return SIGNS.find(([sign]) => begins.startsWith(sign))?.[1];
}

/** Returns what a text is if its beginning shows that it is no table. */
export function foreignText(head: string): string | undefined {
  const begins = head.replace(/^[\uFEFF\s]+/, "").slice(0, 200);
  if (/^<(?:!doctype html|html|head|body|table|meta|style)\b/i.test(begins)) {
    return "a web page (HTML), which some programs save as .xls";
  }
  return /^<\?xml\b/i.test(begins) ? "an XML document" : undefined;
}

/** Tells whether a file is a zip archive, such as a workbook. */
export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5);
}

/** Tells whether a text is JSON: a list, or an object with members. */
export function isJson(head: string): boolean {
  // oxlint-disable-next-line no-control-regex -- record separators (RFC 7464 §2.2)
  return /^[\uFEFF\u001E\s]*(?:\[\s*(?:[[\]{"]|$)|\{\s*["}])/.test(head);
}
