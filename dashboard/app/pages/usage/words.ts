import { lateWords } from "../../words/late.tsx";

export const usageWords = lateWords("usage", {
  en: () => import("../../words/en/usage.ts"),
  de: () => import("../../words/de/usage.ts"),
});
