import { number } from "../../format.ts";

/** What browsers are told of a domain. */
export const behaviour = {
  behaviour: "What this domain does",
  hsts: "Browsers insist on HTTPS",
  hstsHint:
    "Whoever came by HTTPS once is kept from plain HTTP for that long (HSTS). Begin with a short time: it cannot be called back.",
  hstsChoices: {
    0: "Not asked for",
    300: "5 minutes, to try",
    2_592_000: "30 days",
    5_184_000: "60 days",
    31_536_000: "1 year",
    63_072_000: "2 years",
  },
  hstsOther: (seconds: number) => `${number(seconds)} seconds`,
  askHsts: (duration: string) => `Insist on HTTPS for ${duration}?`,
  askHstsText:
    "Browsers that have heard it refuse plain HTTP for that long, even if you take it back. That is safe as long as the domain stays here or has HTTPS elsewhere.",
};
