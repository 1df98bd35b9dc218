import { lateWords } from "../../words/late.tsx";

export const siteWords = lateWords("site", {
  en: () => import("../../words/en/site.ts"),
  de: () => import("../../words/de/site.ts"),
});
