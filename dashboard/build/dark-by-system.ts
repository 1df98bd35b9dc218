/**
 * The dark theme is chosen by a script. So that a page is dark also for those who run none, its rules are there once more,
 * for when the system is dark and no script has said anything.
 */
export function darkBySystem(css: string): string {
  return css.replaceAll(
    /:root\[data-theme="?dark"?\]\s*(\{[^{}]*\})/g,
    (rule, declarations: string) =>
      `${rule}@media (prefers-color-scheme:dark){:root:not([data-theme])${declarations}}`,
  );
}
