import { lateWords } from "../../words/late.tsx";

export const setupWords = lateWords("setup", {
  en: () => import("../../words/en/setup.ts"),
  de: () => import("../../words/de/setup.ts"),
});
