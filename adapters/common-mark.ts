import { micromark, type Options } from "micromark";

/** What is read beyond CommonMark, or not read of it, and how that is written. */
export interface Dialect {
  readonly syntax?: NonNullable<Options["extensions"]>;
  readonly html?: NonNullable<Options["htmlExtensions"]>;
}

/** CommonMark as HTML, by micromark. Raw HTML is shown as the text it is. */
export function commonMark(text: string, { syntax = [], html = [] }: Dialect = {}): string {
  return micromark(text, { extensions: [...syntax], htmlExtensions: [...html] });
}
