import type { StoreCase } from "./shelter.ts";
import { accountCases } from "./store/accounts.ts";
import { catalogueCases } from "./store/catalogues.ts";
import { commitCases } from "./store/commits.ts";
import { keyBoundCases, keyCases } from "./store/keys.ts";
import { listCases } from "./store/lists.ts";
import { orderCases } from "./store/orders.ts";
import { petCases } from "./store/pets.ts";
import { profileCases } from "./store/profiles.ts";
import { upkeepCases } from "./store/upkeep.ts";
import { usageCases } from "./store/usage.ts";

export type { StoreCase } from "./shelter.ts";

/** The contract of every store, for any test runner. */
export const storeContract: readonly StoreCase[] = [
  ...commitCases,
  ...petCases,
  ...profileCases,
  ...orderCases,
  ...listCases,
  ...catalogueCases,
  ...accountCases,
  ...keyCases,
  ...keyBoundCases,
  ...upkeepCases,
  ...usageCases,
];
