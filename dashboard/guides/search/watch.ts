import { all, one } from "../../reference/script/dom.ts";

/** Loads the search when its field is used. `/` focuses the field. */
export function watchSearch(): void {
  const [find] = all(".find", HTMLElement);
  if (find === undefined) return;
  const input = one("#search", HTMLInputElement, find);
  let opening: Promise<unknown> | undefined;
  const open = async (): Promise<void> => {
    const search: { readonly openSearch: (find: HTMLElement) => Promise<void> } = await import(
      find.dataset["script"] ?? ""
    );
    await search.openSearch(find);
  };
  const use = (): void => {
    opening ??= open().catch(() => {
      // The next use tries again.
      opening = undefined;
      const status = one("[role=status]", HTMLElement, find);
      status.className = "failed";
      status.textContent =
        document.documentElement.lang === "de"
          ? "Die Suche wurde nicht geladen. Prüfen Sie Ihre Verbindung."
          : "The search did not load. Check your connection.";
    });
  };
  input.addEventListener("focus", use);
  input.addEventListener("input", use);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    const { activeElement } = document;
    if (activeElement !== null && /^(?:INPUT|TEXTAREA|SELECT)$/.test(activeElement.tagName)) return;
    event.preventDefault();
    input.focus();
  });
  find.hidden = false;
}
