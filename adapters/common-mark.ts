import { micromark, type Options } from "micromark";

/** Extensions to CommonMark's syntax and HTML. */
export interface Dialect {
  readonly syntax?: NonNullable<Options["extensions"]>;
  readonly html?: NonNullable<Options["htmlExtensions"]>;
}

/** Renders CommonMark with micromark. Escapes raw HTML. */
export function commonMark(text: string, { syntax = [], html = [] }: Dialect = {}): string {
  return micromark(text, { extensions: [...syntax], htmlExtensions: [...html] });
}
