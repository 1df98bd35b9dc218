import { lateWords } from "../../../words/late.tsx";

export const importingWords = lateWords("importing", {
  en: () => import("../../../words/en/importing.ts"),
  de: () => import("../../../words/de/importing.ts"),
});
