import { lateWords } from "../../words/late.tsx";

export const keysWords = lateWords("keys", {
  en: () => import("../../words/en/keys.ts"),
  de: () => import("../../words/de/keys.ts"),
});
