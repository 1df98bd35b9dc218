import { lateWords } from "../../words/late.tsx";

export const deploysWords = lateWords("deploys", {
  en: () => import("../../words/en/deploys.ts"),
  de: () => import("../../words/de/deploys.ts"),
});
