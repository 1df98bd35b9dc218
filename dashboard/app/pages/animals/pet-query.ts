import { petStatuses, type Pet } from "../../../../lib/model/pet.ts";
import { searchForm } from "../../../../lib/model/search-form.ts";
import type { Query } from "../../state/query.ts";

/** What is looked for among the animals, as the address has it. */
export interface PetQuery {
  readonly name: string | undefined;
  readonly status: string | undefined;
  readonly categoryId: string | undefined;
}

/** Only what means something is taken from an address that anybody may have written. */
export function petQuery({ name, status, category }: Query): PetQuery {
  return {
    name: name === "" ? undefined : name?.slice(0, 120),
    status: petStatuses.find((one) => one === status),
    categoryId: /^[1-9]\d{0,14}$/.test(category ?? "") ? category : undefined,
  };
}

/** True for an animal that is looked for. */
export function fits({ name, status, categoryId }: PetQuery, pet: Pet): boolean {
  return (
    (status === undefined || pet.status === status) &&
    (categoryId === undefined || String(pet.categoryId) === categoryId) &&
    (name === undefined || searchForm(pet.name).includes(searchForm(name)))
  );
}
