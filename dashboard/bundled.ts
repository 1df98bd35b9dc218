import { bundle } from "./build/bundle.ts" with { type: "macro" };
import type { Bundle } from "./asset.ts";

/** Made when this file is first imported from source, and once for all when the program is compiled. */
export const bundled: Bundle = bundle();
