import { once } from "../../base/eventual.ts";

/** Loads the actions on single rows with the first request for one, because many processes only answer lists. */
export const actions = once(() => import("../actions.ts"));
