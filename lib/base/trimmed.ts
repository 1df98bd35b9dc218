/**
 * Returns a text without the characters of `which` at its end. A pattern such as `/ +$/` takes quadratic time on many of
 * them in the middle.
 */
export function withoutEnd(text: string, which: string): string {
  let end = text.length;
  while (end > 0 && which.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
