import { followSystemTheme } from "../../app/state/preferences.ts";
import { watchSearch } from "../../guides/search/watch.ts";

followSystemTheme();
watchSearch();
