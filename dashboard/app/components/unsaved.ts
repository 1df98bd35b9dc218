import { useLocation } from "preact-iso";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

import { watchBy } from "../state/leaving.ts";
import { words } from "../words/words.ts";
import { confirm } from "./dialog.tsx";

/** A form or a page whose changes may be lost. */
interface Holder {
  /** It has changes that are not saved. */
  isChanged: () => boolean;
  /** The user gave the changes up. */
  discarded: boolean;
}

const holders = new Set<Holder>();

/** The address of the page. A browser that goes back has changed its own already when it says so. */
let here = "";

/**
 * Asks the user before unsaved changes are lost: when they follow a link, go back, choose another view in the menu, or
 * close the tab. To be called by each form and page with `true` while it differs from what is saved.
 */
export function useUnsaved(changed: boolean): void {
  const holder = useHolder(() => changed);
  useEffect(() => {
    holder.discarded = false;
  }, [changed]);
}

/** What a dialog's form needs to ask before its input is lost. */
export interface TypedForm {
  readonly form: RefObject<HTMLFormElement | null>;
  /** Returns a function that calls `close`, after a question if the form has changes. */
  readonly asking: (close: () => void) => () => void;
  /** Takes the current input as saved. */
  readonly saved: () => void;
}

/** Asks before the input of a dialog is lost. What counts is each control's value when the dialog opened. */
export function useTypedForm(): TypedForm {
  const form = useRef<HTMLFormElement>(null);
  const before = useRef(new Map<Element, string>());
  const holder = useHolder(() =>
    Array.from(before.current).some(([control, value]) => inputOf(control) !== value),
  );
  const take = (): void => {
    const controls = Array.from(form.current?.elements ?? []);
    before.current = new Map(
      controls.flatMap((control) => {
        const value = inputOf(control);
        return value === undefined ? [] : [[control, value] as const];
      }),
    );
  };
  useLayoutEffect(take, []);
  return {
    form,
    asking: (close) => () => {
      void mayLose([holder]).then((may) => {
        if (may) close();
      });
    },
    // The values that a saved form shows next are not rendered yet.
    saved: () => void window.setTimeout(take),
  };
}

/** Returns what the user entered into a control; undefined for one that takes no input, such as a button. */
function inputOf(control: Element): string | undefined {
  if (control instanceof HTMLInputElement) {
    const isCheck = control.type === "checkbox" || control.type === "radio";
    return isCheck ? String(control.checked) : control.value;
  }
  const takesText = control instanceof HTMLTextAreaElement || control instanceof HTMLSelectElement;
  return takesText ? control.value : undefined;
}

function useHolder(isChanged: () => boolean): Holder {
  const { url } = useLocation();
  const holder = useRef<Holder>({ isChanged, discarded: false }).current;
  holder.isChanged = isChanged;
  here = url.replace(/#.*/, "");
  useLayoutEffect(() => {
    if (holders.size === 0) watch();
    holders.add(holder);
    return () => {
      holders.delete(holder);
      if (holders.size === 0) unwatch();
    };
  }, []);
  return holder;
}

function changedOf(some: Iterable<Holder>): readonly Holder[] {
  return Array.from(some).filter((one) => !one.discarded && one.isChanged());
}

/** Resolves with false if the user wants to keep the changes. Otherwise they count as discarded. */
async function mayLose(some: Iterable<Holder> = holders): Promise<boolean> {
  const changed = changedOf(some);
  if (changed.length === 0) return true;
  const { unsaved } = words().common;
  const sure = await confirm(unsaved, "", { look: "danger", keep: unsaved.keep });
  if (sure) for (const one of changed) one.discarded = true;
  return sure;
}

function watch(): void {
  window.addEventListener("click", onClick, { capture: true });
  window.addEventListener("beforeunload", onUnload);
}

function unwatch(): void {
  window.removeEventListener("click", onClick, { capture: true });
  window.removeEventListener("beforeunload", onUnload);
}

watchBy({ ask: () => mayLose(), onBack });

function onUnload(event: BeforeUnloadEvent): void {
  if (changedOf(holders).length > 0) event.preventDefault();
}

function onClick(event: MouseEvent): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
    return;
  const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement);
  if (link === undefined || link.target !== "" || link.download !== "") return;
  if (link.origin !== location.origin || link.pathname + link.search === here) return;
  if (changedOf(holders).length === 0) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  void mayLose().then((may) => {
    // Once more, for the router or the browser.
    if (may) link.click();
  });
}

function onBack(event: PopStateEvent): void {
  if (location.pathname + location.search === here || changedOf(holders).length === 0) return;
  event.stopImmediatePropagation();
  // The entry that the user came from. Going back from it leads where they wanted, also if that was forward.
  history.pushState(null, "", here);
  void mayLose().then((may) => {
    if (may) history.back();
  });
}
