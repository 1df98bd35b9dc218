/**
 * From now on something has the focus when what had it is gone, else it would fall to the page's very beginning: of a row
 * the one beside it, so that one goes on where one was; else the view.
 */
export function keepFocus(): void {
  let last: EventTarget | null = null;
  document.addEventListener("focusin", ({ target }) => {
    last = target;
  });
  // A click beside everything gives it up, which is no loss.
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
    // The row itself and nothing in it: what is pressed next must not befall another one.
    const row = beside instanceof HTMLTableRowElement && beside.isConnected ? beside : undefined;
    if (row !== undefined) row.tabIndex = -1;
    (row ?? document.querySelector<HTMLElement>("#content"))?.focus({ preventScroll: true });
  });
  watcher.observe(document.body, { childList: true, subtree: true });
}
