import { lateWords } from "../../words/late.tsx";

/** The words of the page Webhooks, which no other view needs. */
export const webhooksWords = lateWords("webhooks", {
  en: () => import("../../words/en/webhooks.ts"),
  de: () => import("../../words/de/webhooks.ts"),
});
