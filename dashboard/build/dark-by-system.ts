/**
 * Repeats the rules of the dark theme for dark systems, because without scripts nothing chooses the theme.
 */
export function darkBySystem(css: string): string {
  return css.replaceAll(
    /:root\[data-theme="?dark"?\]\s*(\{[^{}]*\})/g,
    (rule, declarations: string) =>
      `${rule}@media (prefers-color-scheme:dark){:root:not([data-theme])${declarations}}`,
  );
}
