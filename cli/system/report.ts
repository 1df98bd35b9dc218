import type { SettingOrigin, SystemCheck, SystemSetting } from "../../lib/management/index.ts";
import type { Finding } from "../check.ts";
import type { LoadedSettings } from "../settings.ts";
import { shownSettings } from "../shown-settings.ts";

const STATES = { ok: "ok", warn: "warning", fail: "failed", skip: "skipped" } as const;

/** A finding of the doctor as the management API tells it. */
export function checkOf({ check, status, message, fix }: Finding): SystemCheck {
  return {
    id: check.toLowerCase().replaceAll(" ", "-"),
    title: capital(check),
    state: STATES[status],
    message,
    fix: fix === undefined ? null : `${capital(fix)}.`,
  };
}

/** Every option, in the order of the table. */
export function settingsOf(loaded: LoadedSettings): readonly SystemSetting[] {
  return Object.entries(shownSettings(loaded)).map(([name, { text, source }]) => {
    const origin: SettingOrigin = source;
    return { name, value: text, origin };
  });
}

/** The names of options stand as they are typed. */
function capital(text: string): string {
  return /^[a-z]+-[a-z]+$/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
