import { bundle } from "./build/bundle.ts" with { type: "macro" };
import type { Bundle } from "./asset.ts";

/** Built when this file is first imported from source, and at compile time in the executable. */
export const bundled: Bundle = bundle();
