import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

import { words } from "../words/words.ts";
import { Button } from "./button.tsx";

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** It was left without doing anything: by Escape, or by the button. */
  readonly onClose: () => void;
  /** The form was sent. Absent: there is nothing to send, and `action` stands in the children. */
  readonly onSubmit?: () => void;
  /** What the button that sends it says. */
  readonly action?: string;
  readonly look?: "primary" | "danger";
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly wide?: boolean;
  /** Escape does nothing: what it shows is shown once. */
  readonly stays?: boolean;
}

/** Asks for something before anything else can be done. Shown as long as it is rendered. */
export function Dialog({
  title,
  children,
  onClose,
  onSubmit,
  action,
  look = "primary",
  busy = false,
  disabled = false,
  wide = false,
  stays = false,
}: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Not `useEffect`, which cleans up after the element is gone: closing it gives the focus back to what opened it.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
    };
  }, []);

  return (
    <dialog
      ref={dialog}
      class={wide ? "wide" : ""}
      aria-labelledby={heading}
      // Else browsers close it when Escape is pressed again and again, whatever is made of the event.
      closedby={stays || busy ? "none" : "closerequest"}
      onCancel={(event) => {
        event.preventDefault();
        if (!stays && !busy) onClose();
      }}
    >
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && !disabled) onSubmit?.();
        }}
      >
        <h2 id={heading}>{title}</h2>
        {children}
        {action !== undefined && (
          <div class="actions">
            {!stays && (
              <Button onClick={onClose} disabled={busy}>
                {words().common.cancel}
              </Button>
            )}
            <Button type="submit" look={look} busy={busy} disabled={disabled}>
              {action}
            </Button>
          </div>
        )}
      </form>
    </dialog>
  );
}
