import { lateWords } from "../../words/late.tsx";

export const enquiriesWords = lateWords("enquiries", {
  en: () => import("../../words/en/enquiries.ts"),
  de: () => import("../../words/de/enquiries.ts"),
});
