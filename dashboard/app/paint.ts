import { paintLanguage, paintTheme } from "./state/preferences.ts";

// Runs before the first paint, so that the page does not flash in another theme.
paintTheme();
paintLanguage();
