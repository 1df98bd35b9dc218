import { markup, type Markup } from "../../lib/publishing/storefront/markup.ts";

/** A search field of the reference or the help. */
export interface SearchField {
  readonly language: "en" | "de";
  /** Its accessible name. */
  readonly label: string;
  /** The address of the script, loaded when the field is used. */
  readonly script: string;
  /** The address of the index, loaded with the script. */
  readonly index: string;
}

/** Writes a search field, which needs scripts and is hidden until they run. */
export function searchField({ language, label, script, index }: SearchField): Markup {
  return markup`
    <div class="find" hidden data-script="${script}" data-index="${index}"><label for="search">${label}</label>
    <input id="search" type="search" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list"${markup` placeholder="${PLACEHOLDERS[language]}"`} autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go" aria-keyshortcuts="/">
    <ul id="results" role="listbox" aria-label="${RESULTS[language]}" hidden></ul><p role="status"></p></div>
  `;
}

const PLACEHOLDERS = { en: "Search", de: "Suchen" } as const;
const RESULTS = { en: "Search results", de: "Suchergebnisse" } as const;
