import { statusNamed } from "../catalogue/status-words.ts";
import type { PetStatus } from "../catalogue/model.ts";
import { normalized } from "../base/normalized.ts";
import { wordForm } from "../model/text.ts";

/** Returns a table from the forms of words, separated by commas, to what they mean. */
function table<Meaning extends string>(
  words: Readonly<Record<Meaning, string>>,
  meanings: readonly Meaning[],
): ReadonlyMap<string, Meaning> {
  return new Map(
    meanings.flatMap((meaning) =>
      words[meaning].split(",").map((word): [string, Meaning] => [valueForm(word), meaning]),
    ),
  );
}

/** A value of letters and digits with single spaces, as most are: only its case is not in the form. */
const PLAIN = /^[a-z\d]+(?: [a-z\d]+)*$/i;
/** Longer values are cut, in UTF-16 code units. */
const MAX_PLAIN = 200;

/** Returns the form in which values are compared: without case, accents, extra white space and punctuation at the ends. */
export function valueForm(value: string): string {
  if (value.length <= MAX_PLAIN && PLAIN.test(value)) return value.toLowerCase();
  return normalized(wordForm(value), "NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[\s_–-]+/gu, " ")
    .replaceAll(/^[^\p{L}\p{N}✓✔]+|[^\p{L}\p{N}✓✔]+$/gu, "");
}

const nothing: ReadonlySet<string> = new Set(
  "n/a,na,none,null,nil,not specified,not set,unspecified,undefined,k.a.,keine angabe,leer,tbd,"
    .split(",")
    .map(valueForm),
);

/** More letters and digits than a word has that says nothing. */
const WORDY = /(?:[a-z\d][^a-z\d]*){16}/i;
const LEAST_WORDY = 16;

/** Returns true for a cell that says nothing: empty, a dash, or words such as "N/A". Not for names. */
export function saysNothing(value: string): boolean {
  if (value.length >= LEAST_WORDY && WORDY.test(value.slice(0, MAX_PLAIN))) return false;
  return nothing.has(valueForm(value));
}

/** Words of shelters for each status, beside those of the dashboard. */
const shelterStatuses: ReadonlyMap<string, PetStatus> = table(
  {
    available:
      "a,adoptable,available for adoption,available in foster,available in shelter,available now,ready,ready for adoption,up for adoption,adoption available,in foster,foster,fostered,zu vermitteln,sucht zuhause,sucht ein zuhause,vermittelbar,zur vermittlung,frei,en adopcion,disponible,adoptierbar",
    pending:
      "p,h,hold,on hold,held,reserve,adoption pending,pending adoption,adoption hold,application pending,adoption in progress,meet and greet,trial adoption,in trial,vorgemerkt,reservierung,in vermittlung,auf probe,probewohnen,reservado,reserviert fur adoption",
    sold: "adopted,adoption,adoption completed,adoption complete,adoption finalized,adoption finalised,adopted out,rehomed,placed,homed,found a home,vergeben,zuhause gefunden,hat ein zuhause,adoptiert,adoptado,adopte",
  },
  ["available", "pending", "sold"],
);

/** Returns the status that a word of the dashboard or of shelters means. */
export function statusMeant(value: string): PetStatus | undefined {
  return statusNamed(value) ?? shelterStatuses.get(valueForm(value));
}

const sexes = table(
  {
    female:
      "f,female,w,weiblich,girl,bitch,queen,hundin,stute,weibchen,hembra,femelle,doe,mare,hen,sow,cow",
    male: "m,male,mannlich,boy,tom,tomcat,rude,kater,hengst,mannchen,macho,buck,stallion,gelding,rooster,boar,bull",
    unknown: "u,unknown,x,unbekannt,unsure,not known,desconocido,inconnu",
  },
  ["female", "male", "unknown"],
);

/** What one cell says about the sex: some systems add that the animal is neutered. */
export interface SexMeant {
  readonly sex?: "female" | "male" | "unknown";
  readonly neutered?: boolean;
}

const castrated: ReadonlyMap<string, SexMeant> = new Map(
  [
    [
      "neutered,male neutered,neutered male,mn,m/n,kastrat,mk,m/k,mannlich kastriert,male castrated",
      "male",
      true,
    ],
    [
      "spayed,female spayed,spayed female,fs,f/s,wk,w/k,weiblich kastriert,female neutered",
      "female",
      true,
    ],
    ["intact male,male intact,unneutered male,mannlich unkastriert", "male", false],
    ["intact female,female intact,unspayed female,weiblich unkastriert", "female", false],
  ].flatMap(([words, sex, neutered]) =>
    String(words)
      .split(",")
      .map((word): [string, SexMeant] => [
        valueForm(word),
        { sex: sex === "male" ? "male" : "female", neutered: neutered === true },
      ]),
  ),
);

/** Returns what a word says about the sex. */
export function sexMeant(value: string): SexMeant | undefined {
  const form = valueForm(value);
  const sex = sexes.get(form);
  return sex === undefined ? castrated.get(form) : { sex };
}

const sizes = table(
  {
    small: "s,small,xs,extra small,toy,tiny,mini,klein,sehr klein,pequeno,petit",
    medium: "m,med,medium,mittel,mittelgross,mittelgroß,mediano,moyen",
    large: "l,large,big,gross,groß,grande,grand",
    "extra large":
      "xl,x large,extra large,xxl,very large,giant,sehr gross,sehr groß,riesig,muy grande,tres grand",
  },
  ["small", "medium", "large", "extra large"],
);

/** Returns the size that a word means. */
export function sizeMeant(value: string): "small" | "medium" | "large" | "extra large" | undefined {
  return sizes.get(valueForm(value));
}

const answers = table(
  {
    yes: "y,yes,true,1,x,ja,j,wahr,si,oui,ok,okay,on,ok with,✓,✔",
    no: "n,no,false,0,nein,falsch,non,not,off",
    unknown: "u,unknown,unbekannt,not tested,untested,not sure,unsure,nicht getestet,desconocido",
  },
  ["yes", "no", "unknown"],
);

/** Returns the answer that a word means. */
export function answerMeant(value: string): "yes" | "no" | "unknown" | undefined {
  return answers.get(valueForm(value));
}

/** Words for a stage of life, which say nothing about the date of birth. */
const stages: ReadonlySet<string> = new Set(
  "baby,young,adult,senior,puppy,kitten,juvenile,infant,geriatric,welpe,jung,jungtier,erwachsen,alt,kitten/puppy,adulto,cachorro"
    .split(",")
    .map(valueForm),
);

/** Returns true for a stage of life, such as "Adult". */
export function isStageOfLife(value: string): boolean {
  return stages.has(valueForm(value));
}
