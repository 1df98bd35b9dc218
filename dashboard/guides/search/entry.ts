/** The kinds of things that a search finds. */
export type Kind =
  | "operation"
  | "schema"
  | "header"
  | "error"
  | "parameter"
  /** A whole page. */
  | "page"
  /** A section of a page. */
  | "text"
  /** A page or a section in another language. */
  | "foreign";

/** Something that a search can find, as the index contains it. */
export type Entry = readonly [
  kind: Kind,
  title: string,
  /** The address, on the same host. */
  path: string,
  /** Its place, shown under the title: `GET /pets`, or the title of the page. */
  place: string,
  /** Other names that are not shown: `listPets`. */
  names: string,
  /** Plain text. */
  text: string,
];

/** Removes backticks and joins paragraphs. */
export function plainText(text: string): string {
  return text.replaceAll("`", "").replaceAll(/\s+/g, " ").trim();
}
