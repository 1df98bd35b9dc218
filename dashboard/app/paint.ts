import { paintLanguage } from "./state/language.ts";
import { paintTheme } from "./state/theme.ts";

// Before the first paint, so that nobody sees the page in another theme first.
paintTheme();
paintLanguage();
