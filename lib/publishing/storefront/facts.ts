import { readTime } from "../../base/clock.ts";
import { companions, type Birth, type Profile } from "../../catalogue/model-profile.ts";
import type { Language } from "./language.ts";
import { markup, type Markup, type Part } from "./markup.ts";

/** What a profile says, as terms with their descriptions. `today` is a date: `2026-11-20`. */
export type Facts = readonly (readonly [term: string, description: string])[];

/** Returns what a profile says in a site's language, without what is not known. */
export function factsOf(profile: Profile, language: Language, today: string): Facts {
  const { profile: words } = language;
  const { size, colour, goodWith = {}, specialNeeds, fee } = profile;
  const saying = (answer: "yes" | "no"): string | undefined => {
    const who = companions.filter((one) => goodWith[one] === answer);
    return who.length === 0 ? undefined : who.map((one) => words.companions[one]).join(", ");
  };
  const facts: readonly (readonly [string, string | undefined])[] = [
    [words.sex, sexIn(profile, language)],
    [words.age, profile.birth && ageIn(profile.birth, language, today)],
    [words.breed, breedIn(profile, language)],
    [words.size, size && words.sizes[size]],
    [words.colour, colour],
    [words.goodWith, saying("yes")],
    [words.notWith, saying("no")],
    [words.specialNeeds, specialNeeds],
    [words.fee, fee],
  ];
  return facts.flatMap(([term, said]) => (said === undefined ? [] : [[term, said] as const]));
}

/** Returns the facts as a list; undefined without any. */
export function factList(facts: Facts): Markup | undefined {
  if (facts.length === 0) return undefined;
  const item = ([term, said]: Facts[number]): Part =>
    markup`<div><dt>${term}</dt><dd dir="auto">${said}</dd></div>`;
  return markup`<dl class="traits">${facts.map(item)}</dl>`;
}

function sexIn({ sex, neutered }: Profile, { profile: words }: Language): string | undefined {
  const known = sex === undefined || sex === "unknown" ? undefined : words.sexes[sex];
  const operated =
    neutered === undefined ? undefined : words[neutered ? "neutered" : "intact"][sex ?? "unknown"];
  const parts = [known, operated].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(", ");
}

function breedIn({ breed = {} }: Profile, { profile: words }: Language): string | undefined {
  const { text, mixed } = breed;
  if (mixed !== true) return text;
  return text === undefined ? words.mixed : words.mix(text);
}

/** Returns the age on a day: in months up to two years, then in years; "about" if only the year of birth is known. */
function ageIn(birth: Birth, language: Language, today: string): string {
  const { profile: words, amount } = language;
  const [year = 0, month = 0, day = 0] = birth.date.split("-").map(Number);
  const [thisYear = 0, thisMonth = 0, thisDay = 0] = today.split("-").map(Number);
  const born = words.born(birthDate(birth, language));
  if (birth.precision === "year") {
    const years = Math.max(0, thisYear - year);
    return `${years === 0 ? words.underYear : words.about(amount(years, "year"))}, ${born}`;
  }
  // A birth that is known by its month counts from the first day.
  const months = Math.max(0, 12 * (thisYear - year) + thisMonth - month - Number(thisDay < day));
  const age =
    months === 0
      ? words.underMonth
      : months < 24
        ? amount(months, "month")
        : amount(Math.floor(months / 12), "year");
  return `${age}, ${born}`;
}

function birthDate({ date, precision }: Birth, { date: dayOf, month: monthOf }: Language): string {
  // Those before 1970 have no instant of ours, and need no month.
  const at = precision === "year" ? undefined : readTime(`${date}T00:00:00Z`);
  if (at === undefined) return date.slice(0, 4);
  return precision === "day" ? dayOf(at) : monthOf(at);
}
