import { bundleGuides } from "../build/bundle-guides.ts" with { type: "macro" };
import type { Guides } from "./guides.ts";

/** Made when this file is first imported from source, and once for all when the program is compiled. */
export const bundled: Guides = bundleGuides();
