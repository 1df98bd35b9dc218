/**
 * From now on the view has the focus when what had it is gone: a row, or a dialog whose row is gone. Else it would fall
 * to the page's very beginning.
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
  const watcher = new MutationObserver(() => {
    if (document.activeElement !== document.body) return;
    if (!(last instanceof Node) || last.isConnected) return;
    document.querySelector<HTMLElement>("#content")?.focus({ preventScroll: true });
  });
  watcher.observe(document.body, { childList: true, subtree: true });
}
