import { createPetstore as createOriginal } from "petstore";

import { openService } from "./index.js";

export * from "petstore";

/** Stands in for `createPetstore` of "petstore" in the code of a recipe: its petstore also answers the probes. */
export function createPetstore(options) {
  const petstore = createOriginal(options);
  let opening;
  const fetch = async (request, context) => {
    const service = await (opening ??= openService(options));
    return service.fetch(request, context);
  };
  return { ...petstore, fetch };
}
