import { loadPublicSuffixes } from "../../domains/dns/public-suffixes.ts";
import type { PublicSuffixes } from "../../domains/model/hostname.ts";

/** The bundled list. */
export const publicSuffixes: PublicSuffixes = await loadPublicSuffixes();
