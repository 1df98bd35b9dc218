import { lateWords } from "../../words/late.tsx";

/** The words of API requests. */
export const requestsWords = lateWords("requests", {
  en: () => import("../../words/en/requests.ts"),
  de: () => import("../../words/de/requests.ts"),
});
