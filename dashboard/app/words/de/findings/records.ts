import {
  type FactsOf,
  type FindingWording,
  type Provider,
  providerFacts,
  type WantedRecord,
  type Words,
} from "../../../../../domains/view/texts.ts";
import { number } from "../../format.ts";

const RIGHT = "Das ist richtig.";

/** Texts about the records at a name, in German. */
export const records = {
  no_record: ({ wanted, instead, believedSeconds }) => {
    const [first, ...rest] = wanted;
    const also = rest.map((record) => ` Außerdem: ${addingThere(record)}`).join("");
    const same = instead.map(({ type, value }) => `${type} ${value}`);
    const otherwise =
      same.length === 0
        ? ""
        : ` Wo es diesen Typ nicht gibt, geben Sie stattdessen unter demselben Namen ein: ${listed(same)}.`;
    return {
      observed: `Für ${first.fqdn} gibt es keinen Eintrag.`,
      expected: wanted.map(recordText).join(" "),
      fix: `${adding(first)}${also}${otherwise}${waiting(believedSeconds)}`,
    };
  },
  name_doubled: ({ wanted, at }) => ({
    observed: `Der Eintrag steht unter ${at}: Der Name enthält die Domain doppelt.`,
    expected: recordText(wanted),
    fix: `${atProvider(wanted)} Öffnen Sie diesen Eintrag, und kürzen Sie seinen Namen auf ${quoted(wanted.name)}: .${wanted.zone} kommt automatisch dazu.`,
  }),
  cname_mismatch: ({ wanted, observed, zoneAppended, others = [] }) => ({
    observed:
      others.length === 0
        ? `${wanted.fqdn} ist ein CNAME auf ${observed}.`
        : `${wanted.fqdn} hat mehrere CNAME-Einträge: auf ${listed([observed, ...others])}.`,
    expected: recordText(wanted),
    fix:
      others.length > 0
        ? `${changing(wanted)} Löschen Sie ${listed(others.map(theOther))} mit demselben Namen: Nur einer ist erlaubt.`
        : zoneAppended
          ? `${changing(wanted)} Der Anbieter hat .${wanted.zone} hinter den Wert gesetzt: Tut er das wieder, geben Sie den Wert mit einem Punkt am Ende ein, ${quoted(`${wanted.value}.`)}`
          : changing(wanted),
  }),
  conflicting_a: (facts) => inTheWay("A", facts),
  conflicting_aaaa: (facts) => inTheWay("AAAA", facts),
  cname_coexists: ({ wanted, types, others = [] }) => {
    const more = types.filter((type) => type !== "CNAME");
    const ofTypes = more.length === 0 ? [] : [`Einträge vom Typ ${listed(more)}`];
    const second = others.map((value) => `einen CNAME-Eintrag auf ${value}`);
    const toDelete = [...ofTypes.map((text) => `die ${text}`), ...others.map(theOther)];
    const kept = others.length === 0 ? recordOf(wanted) : `${recordOf(wanted)} auf ${wanted.value}`;
    return {
      observed: `Neben dem CNAME-Eintrag hat ${wanted.fqdn} auch ${listed([...ofTypes, ...second])}.`,
      expected:
        "Ein Name mit einem CNAME-Eintrag hat keine anderen Einträge: Resolver verwenden sonst mal den einen, mal den anderen.",
      fix: `${atProvider(wanted)} Löschen Sie ${listed(toDelete)} mit dem Namen ${quoted(wanted.name)}, und behalten Sie den ${kept}.`,
    };
  },
  cname_loop: ({ wanted, chain }) => ({
    observed: `Die CNAME-Einträge führen im Kreis: ${chain.slice(0, 9).join(" → ")}.`,
    expected: recordText(wanted),
    fix: changing(wanted),
  }),
  cname_too_long: ({ wanted, chain }) => ({
    observed: `${wanted.fqdn} führt über ${chain.length} CNAME-Einträge hintereinander; so vielen folgen Resolver nicht.`,
    expected: recordText(wanted),
    fix: changing(wanted),
  }),
  dangling_target: ({ fqdn, target, ours }) => ({
    observed: `${fqdn} führt zu ${target}, und dieser Name hat keine Adresse.`,
    expected: "Der Name am Ende hat eine Adresse.",
    fix: ours
      ? `Bei Ihrem DNS-Anbieter ist nichts zu tun: Der Eintrag ist richtig. Der Betreiber dieses Dienstes muss ${target} eine Adresse geben.`
      : `Ändern Sie den Eintrag von ${fqdn}: Wer die Kontrolle über ${target} erhält, könnte unter Ihrer Domain antworten.`,
  }),
  apex_needs_alias: ({ wanted, cname }) => ({
    observed: cname
      ? `${wanted.fqdn} hat einen CNAME-Eintrag; an der Wurzel einer Zone ist er nicht erlaubt.`
      : `Für ${wanted.fqdn} gibt es keinen Eintrag, und der DNS-Anbieter hat keine ALIAS-Einträge.`,
    expected: recordText(wanted),
    fix: cname
      ? `${atProvider(wanted)} Löschen Sie den CNAME-Eintrag der Domain selbst. Dann: ${addingThere(wanted)}`
      : `Nehmen Sie www.${wanted.fqdn}, und lassen Sie den Anbieter ${wanted.fqdn} dorthin weiterleiten; oder ziehen Sie mit dem DNS von ${wanted.zone} zu einem Anbieter um, der ALIAS- oder ANAME-Einträge hat.`,
  }),
  apex_cname_breaks_mail: ({ zone }) => ({
    observed: `E-Mails an Adressen bei ${zone} werden nach seinen MX-Einträgen zugestellt.`,
    expected: `Kein CNAME-Eintrag bei ${zone} selbst: Er verdeckt die MX-Einträge, und E-Mails gehen verloren.`,
    fix: `Nehmen Sie für ${zone} selbst einen ALIAS- oder ANAME-Eintrag, der E-Mails nicht beeinträchtigt, und nie einen CNAME-Eintrag.`,
  }),
  extra_address: ({ fqdn, foreign, ours }) => ({
    observed: `Neben ${ours.length === 1 ? "unserer Adresse" : "unseren Adressen"} ${listed(ours)} hat ${fqdn} auch ${listed(foreign)}.`,
    expected: `Nur ${listed(ours, "oder")}: Besucher landen bei irgendeiner der Adressen.`,
    fix: `Löschen Sie ${recordsOf("A", foreign)} von ${fqdn}.`,
  }),
  aaaa_elsewhere: ({ fqdn, foreign, ours }) => ({
    observed: `${fqdn} hat ${foreign.length === 1 ? "eine fremde IPv6-Adresse" : "fremde IPv6-Adressen"}: ${listed(foreign)}.`,
    expected:
      ours.length === 0
        ? "Kein AAAA-Eintrag: Dieser Dienst ist nur über IPv4 zu erreichen."
        : `Keine andere IPv6-Adresse als ${listed(ours, "oder")}.`,
    fix: `Löschen Sie ${recordsOf("AAAA", foreign)} von ${fqdn}. Zertifizierungsstellen und die meisten Besucher ziehen IPv6 vor und kämen nicht hierher.`,
  }),
  proxied: ({ wanted, network, addresses, reached }) => ({
    observed: `${wanted.fqdn} hat Adressen von ${network} (${listed(addresses)}): Zwischen Besuchern und diesem Dienst steht ein Proxy.`,
    expected: reached
      ? "Der Proxy reicht Anfragen an diesen Dienst weiter, wie er es jetzt tut."
      : recordText(wanted),
    fix: proxyFix(network, reached, wanted),
  }),
  cname_chain: ({ wanted, through }) => ({
    observed: `${wanted.fqdn} ist ein CNAME für ${through[0] ?? ""} und nicht für den hier gezeigten Wert; zu diesem Dienst führt er trotzdem.`,
    expected: recordText(wanted),
    fix: `Das eilt nicht. ${changing(wanted)} Sonst ist die Domain nicht mehr erreichbar, sobald ${listed(through, "oder")} geändert oder gelöscht wird.`,
  }),
  wildcard_match: ({ wildcard, wanted, leadsHere }) => ({
    observed: `Der Eintrag ${wildcard} antwortet für jeden Namen in ${wanted.zone}, der keinen eigenen hat.`,
    expected: "Ein eigener Eintrag für jeden Namen, der gebraucht wird.",
    fix: leadsHere
      ? `${adding(wanted)} Solange ${wildcard} hierher führt, führt auch jeder beliebige Name hierher.`
      : `Sie müssen nichts löschen: Ein eigener Eintrag hat Vorrang vor ${wildcard}.`,
  }),
  ownership_missing: ({ wanted }) => ({
    observed: `Unter ${wanted.fqdn} gibt es keinen TXT-Eintrag.`,
    expected: recordText(wanted),
    fix: `${adding(wanted)} Er beweist, dass die Domain Ihnen gehört.`,
  }),
  ownership_mismatch: ({ wanted, values }) => ({
    observed: `Der TXT-Eintrag unter ${wanted.fqdn} lautet ${listed(values.map(quoted))}.`,
    expected: recordText(wanted),
    fix: `${changing(wanted)} Kopieren Sie ihn ganz, ohne Anführungszeichen.`,
  }),
  cname_found: ({ fqdn, target, through }) => ({
    observed: `${fqdn} ist ein CNAME auf ${target}${through.length === 0 ? "" : `, auf dem Weg über ${listed(through)}`}.`,
    expected: RIGHT,
    fix: "",
  }),
  flattened: ({ fqdn, addresses }) => ({
    observed: `${fqdn} hat die Adressen dieses Dienstes: ${listed(addresses)}.`,
    expected: RIGHT,
    fix: "",
  }),
  ownership_found: ({ fqdn }) => ({
    observed: `Der TXT-Eintrag unter ${fqdn} hat den verlangten Wert.`,
    expected: RIGHT,
    fix: "",
  }),
} satisfies Partial<FindingWording>;

function theOther(value: string): string {
  return `den CNAME-Eintrag auf ${value}`;
}

function inTheWay(
  type: "A" | "AAAA",
  { wanted, addresses, also = [] }: FactsOf<"conflicting_aaaa"> & Partial<FactsOf<"conflicting_a">>,
): Words {
  const lead = addresses.length === 1 ? "der woanders hinführt" : "die woanders hinführen";
  const more = also.length === 0 ? "" : ` und ${recordsOf("AAAA", also)}`;
  return {
    observed: `${wanted.fqdn} hat ${recordsOf(type, addresses)}, ${lead}.`,
    expected: recordText(wanted),
    fix: `${atProvider(wanted)} Löschen Sie ${recordsOf(type, addresses)}${more} mit dem Namen ${quoted(wanted.name)}. Dann: ${addingThere(wanted)}`,
  };
}

/** `den A-Eintrag 192.0.2.1`, `die A-Einträge 192.0.2.1 und 192.0.2.2` */
function recordsOf(type: "A" | "AAAA", addresses: readonly string[]): string {
  const noun = addresses.length === 1 ? `den ${type}-Eintrag` : `die ${type}-Einträge`;
  return `${noun} ${listed(addresses)}`;
}

function proxyFix(network: string, reached: boolean, wanted: WantedRecord): string {
  if (reached) return "Sie müssen nichts ändern, solange der Proxy so bleibt.";
  const off =
    network === "Cloudflare"
      ? `Öffnen Sie bei Cloudflare den Eintrag ${quoted(wanted.name)}, und stellen Sie „Proxy status“ von „Proxied“ auf „DNS only“`
      : `Nehmen Sie ${wanted.fqdn} aus ${network} heraus`;
  return `${off}; es muss ein ${recordOf(wanted)} mit dem Wert ${wanted.value} sein. Mehr braucht es dann nicht.`;
}

function waiting(seconds: number): string {
  return seconds < 60
    ? ""
    : ` Bis alle ihn sehen, kann es ${duration(seconds)} dauern; wir sehen ihn sofort.`;
}

// Parts of the texts, in German.

/** Most items shown in a sentence. */
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
function duration(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? "1 Sekunde" : `${seconds} Sekunden`;
  if (seconds < 2 * 3_600) return `${Math.ceil(seconds / 60)} Minuten`;
  return `${Math.ceil(seconds / 3_600)} Stunden`;
}

/** Names the provider: `Bei Namecheap:`. */
export function atProvider({ provider, zone }: WantedRecord): string {
  return provider === undefined
    ? `Beim DNS-Anbieter von ${zone}:`
    : `Bei ${providerFacts(provider).name}:`;
}

/** Describes how to add a record: `Bei Namecheap: Legen Sie einen CNAME-Eintrag an: …`. */
export function adding(wanted: WantedRecord): string {
  return `${atProvider(wanted)} ${addingThere(wanted)}`;
}

/** The same without naming the provider. */
function addingThere(wanted: WantedRecord): string {
  const note = wanted.provider === undefined ? undefined : NOTES[wanted.provider];
  const set = note === undefined || !LEADING.has(wanted.type) ? "" : ` ${note}`;
  return `Legen Sie einen ${recordOf(wanted)} an: ${fieldsOf(wanted)}.${set}${nameHint(wanted)}`;
}

/** The same for an existing record with another value. */
function changing(wanted: WantedRecord): string {
  const [field, value] = valueOf(wanted);
  return `${atProvider(wanted)} Öffnen Sie den ${recordOf(wanted)} ${quoted(wanted.name)}, und setzen Sie ${quoted(field)} auf ${value}.`;
}

/** `Ein CNAME-Eintrag für pets.shelter.org mit dem Wert …` */
function recordText(wanted: WantedRecord): string {
  return `Ein ${recordOf(wanted)} für ${wanted.fqdn} mit dem Wert ${wanted.value}.`;
}

/** `CNAME-Eintrag`, in the provider's terms. */
function recordOf({ type, provider }: WantedRecord): string {
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

/** Returns the value's field, and the value as to be entered. */
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

/** Prevents the most common mistake: entering the domain as part of the name. */
function nameHint({ name, zone, provider }: WantedRecord): string {
  if (name === "@") return "";
  const { name: providerName = "", appendsZone } = knownOf(provider);
  if (appendsZone === true) {
    return ` Geben Sie nur ${quoted(name)} ein: ${providerName} setzt .${zone} automatisch dahinter.`;
  }
  return appendsZone === false
    ? ""
    : ` Die meisten Anbieter setzen .${zone} automatisch hinter den Namen; lassen Sie es dort weg.`;
}

function knownOf(provider: WantedRecord["provider"]): Partial<Provider> {
  return provider === undefined ? {} : providerFacts(provider);
}
