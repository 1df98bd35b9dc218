import { accountCases } from "./store/accounts.ts";
import type { StoreCase } from "./store/case.ts";
import { catalogueCases } from "./store/catalogues.ts";
import { commitCases } from "./store/commits.ts";
import { keyBoundCases } from "./store/key-bounds.ts";
import { keyCases } from "./store/keys.ts";
import { listCases } from "./store/lists.ts";
import { petCases } from "./store/pets.ts";
import { upkeepCases } from "./store/upkeep.ts";
import { usageCases } from "./store/usage.ts";

export type { StoreCase } from "./store/case.ts";

/** Everything that a store promises, to be run over each adapter by any test runner. */
export const storeContract: readonly StoreCase[] = [
  ...commitCases,
  ...petCases,
  ...listCases,
  ...catalogueCases,
  ...accountCases,
  ...keyCases,
  ...keyBoundCases,
  ...upkeepCases,
  ...usageCases,
];
