import { describeDrift } from "../../helpers/domains/drift-life.ts";
import { openWorld } from "../../helpers/domains/world.ts";

describeDrift(
  "SQLite",
  async (clock) => {
    const world = await openWorld(":memory:", { clock });
    return { world, close: () => world.close() };
  },
  true,
);
