import { once, type Eventual } from "../../lib/base/eventual.ts";
import type { PublicSuffixes } from "../model/hostname.ts";

/** The list bundled with the package: its version and publication date. */
const EDITION = "Public Suffix List of tldts 7.5.4, 2026-11-15";

/** Loads the bundled Public Suffix List: 5 MB and 6 ms that a start without custom domains does not need. */
export const loadPublicSuffixes: () => Eventual<PublicSuffixes> = once(
  async (): Promise<PublicSuffixes> => {
    const { getPublicSuffix } = await import("tldts");
    return {
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
  },
);
