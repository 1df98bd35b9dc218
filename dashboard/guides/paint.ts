import { paintTheme } from "../app/state/preferences.ts";

// Runs before the first paint, so that the theme does not flash.
paintTheme();
