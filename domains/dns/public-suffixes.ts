import { getPublicSuffix } from "tldts";

import type { PublicSuffixes } from "../model/hostname.ts";

/** The list as it is compiled into the package; its version and the day on which that was published. */
const EDITION = "Public Suffix List of tldts 7.5.4, 2026-11-15";

/** The Public Suffix List, in the edition that this program was made with. */
export const publicSuffixes: PublicSuffixes = {
  edition: EDITION,
  suffixOf: (name, section) =>
    getPublicSuffix(name, {
      allowPrivateDomains: section === "all",
      // The name is one already: nothing is to be cut out of it or checked again.
      extractHostname: false,
      validateHostname: false,
      detectIp: false,
    }) ?? name.slice(name.lastIndexOf(".") + 1),
};
