import type {
  FindingCode,
  FindingWording,
  HeadlineWording,
  ProviderId,
} from "../../../domains/texts.ts";
import type { view } from "./en/domains.ts";
import { lateWords, type LateWords } from "./late-words.tsx";

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

/** They are many, and only needed there. */
export const domainWords: LateWords<DomainWords> = lateWords<DomainWords>({
  en: async () => (await import("./en/domain-words.ts")).domainWords,
  de: async () => (await import("./de/domain-words.ts")).domainWords,
});
