import { signal } from "@preact/signals";

import type {
  FindingCode,
  FindingWording,
  HeadlineWording,
  ProviderId,
} from "../../../domains/texts.ts";
import type { Language } from "../state/language.ts";
import type { view } from "./en/domains.ts";

/** What only the views of domains say. */
export interface DomainWords {
  readonly view: typeof view;
  /** A few words for each finding. */
  readonly titles: Readonly<Record<FindingCode, string>>;
  readonly findings: FindingWording;
  readonly headlines: HeadlineWording;
  /** What else has to be set at a provider for a record that leads here. */
  readonly notes: Readonly<Partial<Record<ProviderId, string>>>;
}

const loaders: Readonly<Record<Language, () => Promise<{ readonly domainWords: DomainWords }>>> = {
  en: () => import("./en/domain-words.ts"),
  de: () => import("./de/domain-words.ts"),
};

const current = signal<DomainWords | undefined>(undefined);

/** Loads them in a language. Until they have come, those of the language before are shown. */
export async function loadDomainWords(tongue: Language): Promise<void> {
  current.value = (await loaders[tongue]()).domainWords;
}

/** True once they can be said. */
export function hasDomainWords(): boolean {
  return current.value !== undefined;
}

/** The words of the language that is shown; only below `inDomainWords`. */
export function domainWords(): DomainWords {
  if (current.value === undefined) throw new Error("The words of domains were not loaded.");
  return current.value;
}
