import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { signal, type Signal } from "@preact/signals";
import { bound, TextField } from "./field.tsx";

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

export interface Question {
  readonly title: string;
  /** What will happen, and what of it can be undone. */
  readonly text: string;
  /** What the button says: the verb. */
  readonly action: string;
  /** Default: an ordinary change. */
  readonly look?: "danger";
  /** Has to be typed first: for what cannot be undone. */
  readonly typed?: string;
}

interface Asked extends Question {
  readonly answer: (yes: boolean) => void;
}

const asked = signal<Asked | undefined>(undefined);
const typed = signal("");

/** Resolves with true when the person said yes. */
export function confirm(question: Question): Promise<boolean> {
  asked.peek()?.answer(false);
  typed.value = "";
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      answer: (yes) => {
        asked.value = undefined;
        resolve(yes);
      },
    };
  });
}

/** Nobody will answer it any more: the view that asked was left. */
export function withdrawQuestion(): void {
  asked.peek()?.answer(false);
}

/** Where questions appear; stands once on every page. */
export function Confirmation(): JSX.Element | null {
  const question = asked.value;
  if (question === undefined) return null;
  const { title, text, action, look = "primary", answer } = question;
  const word = question.typed;
  return (
    <Dialog
      title={title}
      action={action}
      look={look}
      disabled={word !== undefined && typeable(typed.value) !== typeable(word)}
      onSubmit={() => {
        answer(true);
      }}
      onClose={() => {
        answer(false);
      }}
    >
      <p>{text}</p>
      {word !== undefined && (
        <TextField
          label={words().common.typeToConfirm(word)}

          literal
          autofocus
          {...bound(typed)}
        />
      )}
    </Dialog>
  );
}

/** What of a text can be seen, and so be typed: marks that join or turn letters cannot. */
function typeable(text: string): string {
  return text
    .normalize()
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** What somebody is asked above whatever else is open, by code that comes when it is needed; undefined: nothing. */
export const above: Signal<JSX.Element | undefined> = signal(undefined);
