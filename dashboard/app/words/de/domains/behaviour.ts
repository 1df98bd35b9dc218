import { number } from "../../format.ts";
import type { behaviour as English } from "../../en/domains/behaviour.ts";

export const behaviour: typeof English = {
  behaviour: "Was diese Domain tut",
  hsts: "Browser bestehen auf HTTPS",
  hstsHint:
    "Wer einmal über HTTPS kam, wird so lange von unverschlüsseltem HTTP abgehalten (HSTS). Beginnen Sie mit einer kurzen Zeit: Es lässt sich nicht zurücknehmen.",
  hstsChoices: {
    0: "Nicht verlangt",
    300: "5 Minuten, zum Ausprobieren",
    2_592_000: "30 Tage",
    5_184_000: "60 Tage",
    31_536_000: "1 Jahr",
    63_072_000: "2 Jahre",
  },
  hstsOther: (seconds) => `${number(seconds)} Sekunden`,
  askHsts: (duration) => `Auf HTTPS bestehen: ${duration}?`,
  askHstsText:
    "Browser, die das gehört haben, lehnen unverschlüsseltes HTTP so lange ab, auch wenn Sie es zurücknehmen. Das ist sicher, solange die Domain hier bleibt oder anderswo HTTPS hat.",
};
