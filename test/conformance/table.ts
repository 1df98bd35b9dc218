import type { Case } from "./case.ts";
import { authentication } from "./cases/authentication.ts";
import { bodies } from "./cases/bodies.ts";
import { categories } from "./cases/categories.ts";
import { conditions } from "./cases/conditions.ts";
import { descriptionCases } from "./cases/description.ts";
import { environments } from "./cases/environments.ts";
import { everyOperation } from "./cases/every-operation.ts";
import { lifecycle } from "./cases/lifecycle.ts";
import { limits } from "./cases/limits.ts";
import { lists } from "./cases/lists.ts";
import { order } from "./cases/order.ts";
import { pets } from "./cases/pets.ts";
import { profiles } from "./cases/profiles.ts";
import { responses } from "./cases/responses.ts";
import { retries } from "./cases/retries.ts";
import { wire } from "./cases/wire.ts";

/** Every promise of the specification and the contract about the public API, one case each. */
export const table: readonly Case[] = [
  ...everyOperation,
  ...authentication,
  ...environments,
  ...pets,
  ...profiles,
  ...bodies,
  ...categories,
  ...lifecycle,
  ...conditions,
  ...lists,
  ...limits,
  ...retries,
  ...order,
  ...responses,
  ...descriptionCases,
  ...wire,
];
