import type { Pet } from "../../../../lib/catalogue/model.ts";
import { searchForm } from "../../../../lib/model/text.ts";

/** What the name of a picture's file says about its animal. */
export interface NamedPicture {
  /** The names that the animal may have, the best first. */
  readonly names: readonly string[];
  /** The number that the animal may have. */
  readonly number?: number;
}

/** A number at the end that tells several pictures of one animal apart: `Rex 2`, `Rex_02`, `Rex (2)`. */
const COUNT = /[\s_-]*\(?\b\d{1,3}\)?$/;

/** Reads the name of a file: `Rex.jpg`, `Rex_2.jpg`, `7.jpg` or `7-2.jpg`. */
export function readName(fileName: string): NamedPicture {
  const stem = stemOf(fileName);
  const names = [stem, spaced(stem.replace(COUNT, ""))].filter(
    (name, index, all) => name !== "" && all.indexOf(name) === index,
  );
  const digits = /^\d{1,15}(?=$|[\s(-])/.exec(stem)?.[0];
  return { names, ...(digits === undefined ? {} : { number: Number(digits) }) };
}

/** Returns the name of a file without its ending, with single spaces. */
export function stemOf(fileName: string): string {
  return spaced(fileName.replace(/\.[^.]*$/, ""));
}

function spaced(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[\s_]+/g, " ")
    .trim();
}

/** The animal of a picture; `none` if no animal has the name, `several` if more than one has it. */
export type Owner = Pet | "none" | "several";

/** Finds the animal of a picture among those that may have its name or number. A name wins over a number. */
export function ownerOf({ names, number }: NamedPicture, pets: readonly Pet[]): Owner {
  for (const name of names) {
    const called = pets.filter((pet) => searchForm(spaced(pet.name)) === searchForm(name));
    if (called.length > 1) return "several";
    if (called[0] !== undefined) return called[0];
  }
  return pets.find(({ id }) => id === number) ?? "none";
}
