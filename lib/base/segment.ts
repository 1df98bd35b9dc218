/** Returns a value as a segment of a path. An empty value or dots would change the path; `~` is no valid ID. */
export function segment(value: string): string {
  return /^\.{0,2}$/.test(value) ? "~" : encodeURIComponent(value);
}
