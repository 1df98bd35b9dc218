import type { PetStatus } from "../../model/pet.ts";

/** All that the pages say by themselves. Names arrive as they are; numbers and dates are written already. */
export interface Words {
  /** Over the list, where the site file has no heading. */
  readonly heading: string;
  readonly skip: string;
  readonly filters: string;
  readonly everyCategory: string;
  readonly moreCategories: string;
  readonly everyStatus: string;
  readonly status: Readonly<Record<PetStatus, string>>;
  /** How many animals the list holds; `written` is the number as the language writes it. */
  readonly count: (count: number, written: string) => string;
  readonly back: string;
  readonly pages: string;
  readonly newer: string;
  readonly older: string;
  readonly photoOf: (name: string) => string;
  readonly empty: string;
  /** Where a filter, or the end of the list, leaves nothing. */
  readonly emptyHere: string;
  readonly showAll: string;
  readonly since: (date: string) => string;
  readonly adoptHeading: (name: string) => string;
  /** Where the site file does not say how to adopt, by the animal's status. */
  readonly adopt: Readonly<Record<PetStatus, string>>;
  readonly write: string;
  readonly call: string;
  readonly subject: (name: string, id: number) => string;
  readonly more: string;
  readonly contact: string;
  readonly phone: string;
  readonly email: string;
  readonly address: string;
  readonly hours: string;
  readonly website: string;
  readonly notFoundTitle: string;
  readonly notFound: string;
  /** Below an embedded list. */
  readonly seeAllAt: (title: string) => string;
}
