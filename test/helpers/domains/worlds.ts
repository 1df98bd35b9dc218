import { afterEach } from "bun:test";

import { openWorld, type World } from "./world.ts";

/** Returns `openWorld` for the tests of a file: each world closes after its test. */
export function worlds(): typeof openWorld {
  const opened: World[] = [];
  afterEach(async () => {
    for (const world of opened.splice(0)) await world.close();
  });
  return async (...options) => {
    const world = await openWorld(...options);
    opened.push(world);
    return world;
  };
}
