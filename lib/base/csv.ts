/** Formats fields as one row with its line break. */
export function csvRow(fields: readonly (string | number)[], delimiter = ","): string {
  return `${fields.map(csvField).join(delimiter)}\r\n`;
}

function csvField(value: string | number): string {
  const text = String(value);
  return /["\r\n,;\t|]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
