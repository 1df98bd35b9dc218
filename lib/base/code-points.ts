/** Counts code points. For a text of more than `enough` UTF-16 code units it returns their larger number instead. */
export function countCodePoints(text: string, enough: number): number {
  if (text.length > enough) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}
