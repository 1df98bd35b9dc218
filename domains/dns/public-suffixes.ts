import { getPublicSuffix } from "tldts";

import type { PublicSuffixes } from "../model/hostname.ts";

/** The list bundled with the package: its version and publication date. */
const EDITION = "Public Suffix List of tldts 7.5.4, 2026-11-15";

/** The bundled Public Suffix List. */
export const publicSuffixes: PublicSuffixes = {
  edition: EDITION,
  suffixOf: (name, section) =>
    getPublicSuffix(name, {
      allowPrivateDomains: section === "all",
      // The name is already a validated hostname.
      extractHostname: false,
      validateHostname: false,
      detectIp: false,
    }) ?? name.slice(name.lastIndexOf(".") + 1),
};
