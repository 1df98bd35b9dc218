import { createPetstore as createOriginal } from "petstore";
import { memoryStore } from "petstore/stores/memory";

import { openService } from "./index.js";

export * from "petstore";

/** Stands in for `createPetstore` of "petstore" in the code of a recipe: its petstore also answers the probes. */
export function createPetstore(options) {
  const petstore = createOriginal(options);
  const fetch = async (request, context) => {
    const service = await (globalThis[OPENED] ??= openService(options));
    return service.fetch(request, context);
  };
  return { ...petstore, fetch };
}

/** Some frameworks load a module once for each route. A host has one recipe. */
const OPENED = Symbol.for("the petstore of the recipe");

/** Returns the petstore of Staging over the store of the recipe, whose mount is at `path`. */
export function stagingOf(path) {
  const { match } = createOriginal({ store: memoryStore() });
  const open = async () => {
    // Some frameworks load a route at its first request.
    await fetch(`http://127.0.0.1:${process.env.PORT}${path}/v1/probe/key`);
    return openService({ of: await globalThis[OPENED], environment: "staging" });
  };
  let opening;
  return {
    match,
    fetch: async (request, context) => (await (opening ??= open())).fetch(request, context),
  };
}
