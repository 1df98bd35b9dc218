import { paintLanguage, paintTheme } from "./state/preferences.ts";

// Before the first paint, so that nobody sees the page in another theme first.
paintTheme();
paintLanguage();
