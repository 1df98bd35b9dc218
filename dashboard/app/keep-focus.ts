/**
 * Moves the focus when the focused element is removed: from a table row to the next one, otherwise to the view. Without
 * this, the focus would fall back to the start of the page.
 */
export function keepFocus(): void {
  let last: EventTarget | null = null;
  document.addEventListener("focusin", ({ target }) => {
    last = target;
  });
  // A click outside every control gives up the focus on purpose.
  const forget = (): void => {
    last = null;
  };
  document.addEventListener("pointerdown", forget, { capture: true });
  const watcher = new MutationObserver((changes) => {
    if (document.activeElement !== document.body) return;
    const gone = last;
    if (!(gone instanceof Node) || gone.isConnected) return;
    const place = changes.find(({ removedNodes: [node] }) => node?.contains(gone));
    const beside = place?.nextSibling ?? place?.previousSibling;
    // The row itself, not a control in it: the next key press must not act on another row.
    const row = beside instanceof HTMLTableRowElement && beside.isConnected ? beside : undefined;
    if (row !== undefined) row.tabIndex = -1;
    (row ?? document.querySelector<HTMLElement>("#content"))?.focus({ preventScroll: true });
  });
  watcher.observe(document.body, { childList: true, subtree: true });
}
