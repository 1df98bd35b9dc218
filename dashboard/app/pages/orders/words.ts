import { lateWords } from "../../words/late.tsx";

export const ordersWords = lateWords("orders", {
  en: () => import("../../words/en/orders.ts"),
  de: () => import("../../words/de/orders.ts"),
});
