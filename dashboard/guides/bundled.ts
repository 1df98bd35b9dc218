import { bundleGuides } from "../build/bundle.ts" with { type: "macro" };
import type { Guides } from "./guides.ts";

/** Built when this file is first imported from source, and at compile time in the executable. */
export const bundled: Guides = bundleGuides();
