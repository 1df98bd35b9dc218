import {
  fullName,
  type EnteredRecord,
  type RegistrarZone,
} from "../../testing/domains/sandbox/registrar-zone.ts";

/** Mistakes that people make with DNS records, ready to be made. */
export const mistakes = ["doubled", "typo", "old_address", "beside", "caa"] as const;
/** A ready mistake. */
export type Mistake = (typeof mistakes)[number];

/** A record that Petstore asks for. */
export interface WantedRecord {
  readonly type: string;
  /** The whole name. */
  readonly fqdn: string;
  readonly value: string;
}

/** A name server's address that no visitor reaches: where the old site was (RFC 5737). */
export const OLD_ADDRESS = "203.0.113.80";

/** Returns the name of a wanted record, as the registrar wants it. */
export function labelOf(fqdn: string, apex: string): string {
  return fqdn === apex ? "@" : fqdn.slice(0, -apex.length - 1);
}

/** Returns the records that are entered by mistake, where `wanted` should be. */
export function mistaken(
  mistake: Mistake,
  { type, fqdn, value }: WantedRecord,
  apex: string,
): readonly EnteredRecord[] {
  const label = labelOf(fqdn, apex);
  const alias = type === "CNAME" ? "CNAME" : "A";
  switch (mistake) {
    case "doubled":
      // The whole name, to which the registrar appends the domain once more.
      return [{ label: fqdn, type: alias, value }];
    case "typo":
      return alias === "CNAME"
        ? [{ label, type: alias, value: misspelled(value) }]
        : [{ label, type: alias, value: "127.0.0.2" }];
    case "old_address":
      return [{ label, type: "A", value: OLD_ADDRESS }];
    case "beside":
      // One address of the new site, and one of the old site.
      return [
        { label, type: "A", value: "127.0.0.1" },
        { label, type: "A", value: OLD_ADDRESS },
      ];
    case "caa":
      return [
        { label, type: alias, value },
        { label: "@", type: "CAA", value: '0 issue "another-ca.example"' },
      ];
  }
}

/** Swaps the first two different neighbours. */
function misspelled(name: string): string {
  const at = Array.from(name).findIndex((letter, index) => letter !== name[index + 1]);
  return name.slice(0, at) + (name[at + 1] ?? "") + (name[at] ?? "") + name.slice(at + 2);
}

/** Removes everything at a wanted name that is in its way, and what mistakes have left elsewhere. */
export function clearWay(zone: RegistrarZone, { fqdn }: Pick<WantedRecord, "fqdn">): void {
  zone.clear(fqdn);
  zone.clear(fullName(fqdn, zone.apex));
  for (const { id, type } of zone.records) if (type === "CAA") zone.remove(id);
}
