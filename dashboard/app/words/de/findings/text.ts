import { providerFacts, type Provider, type WantedRecord } from "../../../../../domains/texts.ts";
import { number } from "../../format.ts";

// What the texts of findings are put together of, in German.

/** Of a list no more than so many are written out. */
const MAX_LISTED = 4;
const LEADING: ReadonlySet<WantedRecord["type"]> = new Set(["CNAME", "ALIAS", "A", "AAAA"]);
const NOTES: Readonly<Partial<Record<NonNullable<WantedRecord["provider"]>, string>>> = {
  cloudflare: "Stellen Sie „Proxy status“ auf „DNS only“.",
};

/** `a`, `a und b`, `a, b und 3 weitere`. */
export function listed(items: readonly string[], conjunction: "und" | "oder" = "und"): string {
  const shown = items.length <= MAX_LISTED ? [...items] : items.slice(0, MAX_LISTED - 1);
  if (items.length > shown.length) shown.push(`${number(items.length - shown.length)} weitere`);
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : `${shown.join(", ")} ${conjunction} ${last}`;
}

export function quoted(text: string): string {
  return `„${text}“`;
}

/** `45 Sekunden`, `10 Minuten`, `2 Stunden`: aufgerundet. */
export function duration(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? "1 Sekunde" : `${seconds} Sekunden`;
  if (seconds < 2 * 3_600) return `${Math.ceil(seconds / 60)} Minuten`;
  return `${Math.ceil(seconds / 3_600)} Stunden`;
}

/** `Bei Namecheap`, or at whoever it is. */
export function atProvider({ provider, zone }: WantedRecord): string {
  return provider === undefined
    ? `Dort, wo das DNS von ${zone} verwaltet wird:`
    : `Bei ${providerFacts(provider).name}:`;
}

/** `Legen Sie einen CNAME-Eintrag an: …`, with where. */
export function adding(wanted: WantedRecord): string {
  return `${atProvider(wanted)} ${addingThere(wanted)}`;
}

/** The same when it was said before where. */
export function addingThere(wanted: WantedRecord): string {
  const note = wanted.provider === undefined ? undefined : NOTES[wanted.provider];
  const set = note === undefined || !LEADING.has(wanted.type) ? "" : ` ${note}`;
  return `Legen Sie einen ${recordOf(wanted)} an: ${fieldsOf(wanted)}.${set}${nameHint(wanted)}`;
}

/** The same for a record that is there already and has another value. */
export function changing(wanted: WantedRecord): string {
  const [field, value] = valueOf(wanted);
  return `${atProvider(wanted)} Öffnen Sie den ${recordOf(wanted)} ${quoted(wanted.name)}, und setzen Sie ${quoted(field)} auf ${value}.`;
}

/** `Ein CNAME-Eintrag für pets.shelter.org mit dem Wert …` */
export function recordText(wanted: WantedRecord): string {
  return `Ein ${recordOf(wanted)} für ${wanted.fqdn} mit dem Wert ${wanted.value}.`;
}

/** `CNAME-Eintrag`; in the words of the provider, where it calls it otherwise. */
export function recordOf({ type, provider }: WantedRecord): string {
  if (type !== "ALIAS") return `${type}-Eintrag`;
  const { apexType } = knownOf(provider);
  return apexType === undefined || apexType === "none"
    ? "ALIAS-Eintrag (oder ANAME)"
    : `${apexType}-Eintrag`;
}

function fieldsOf(wanted: WantedRecord): string {
  const { name, provider } = wanted;
  const { nameField = "Name", apexName = "@" } = knownOf(provider);
  const typed = name === "@" ? apexName : name;
  const nameText =
    typed === "" ? `Feld ${quoted(nameField)} leer` : `${nameField} ${quoted(typed)}`;
  return `${nameText}, ${valueOf(wanted).join(" ")}, TTL 3600`;
}

/** The field of the value, and the value as it has to be typed. */
function valueOf({ type, value, provider }: WantedRecord): readonly [field: string, value: string] {
  const { valueField = "Wert", valueEndsInDot = false } = knownOf(provider);
  switch (type) {
    case "CNAME":
    case "ALIAS":
      return [valueField, valueEndsInDot ? `${value}. (mit dem Punkt am Ende)` : value];
    case "CAA": {
      const [flags = "", tag = "", ...rest] = value.split(" ");
      return [`Flags ${flags}, Tag ${tag}, Wert`, rest.join(" ")];
    }
    case "A":
    case "AAAA":
    case "TXT":
      return ["Wert", value];
    default:
      return type satisfies never;
  }
}

/** What goes wrong most often: the domain is entered as part of the name. */
function nameHint({ name, zone, provider }: WantedRecord): string {
  if (name === "@") return "";
  const { name: providerName = "", appendsZone } = knownOf(provider);
  if (appendsZone === true) {
    return ` Geben Sie nur ${quoted(name)} ein: ${providerName} setzt .${zone} von selbst dahinter.`;
  }
  return appendsZone === false
    ? ""
    : ` Die meisten Anbieter setzen .${zone} von selbst hinter den Namen; lassen Sie es dort weg.`;
}

function knownOf(provider: WantedRecord["provider"]): Partial<Provider> {
  return provider === undefined ? {} : providerFacts(provider);
}
