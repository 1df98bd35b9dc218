import type { ComponentChildren, JSX, RefObject } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { signal, type Signal } from "@preact/signals";
import { bound, TextField } from "./field.tsx";

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The user cancelled, by Escape or by the button. */
  readonly onClose: () => void;
  /** The user sent the form. Absent if the dialog has no form. */
  readonly onSubmit?: () => void;
  /** The label of the submit button. */
  readonly action?: string;
  readonly look?: "primary" | "danger";
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly wide?: boolean;
  /** Cannot be cancelled: its content is shown only once. */
  readonly stays?: boolean;
  /** The label of the button that cancels. */
  readonly cancel?: string;
  /** Buttons before the one that submits. */
  readonly further?: ComponentChildren;
  readonly form?: RefObject<HTMLFormElement | null>;
}

/** A modal dialog, open as long as it is rendered. */
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
  cancel = words().common.cancel,
  further,
  form,
}: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // `useEffect` would clean up after the element is removed: closing it returns the focus to what opened it.
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
      // Otherwise browsers close it on repeated Escape, even if the event is prevented.
      closedby={stays || busy ? "none" : "closerequest"}
      onCancel={(event) => {
        event.preventDefault();
        if (!stays && !busy) onClose();
      }}
    >
      <form
        {...(form === undefined ? {} : { ref: form })}
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
                {cancel}
              </Button>
            )}
            {further}
            <Button type="submit" look={look} busy={busy} disabled={disabled}>
              {action}
            </Button>
          </div>
        )}
      </form>
    </dialog>
  );
}

/** A text, or one with the name of what it is about. */
type NamedText = string | ((name: string) => string);

/** The words of a question before a change. */
export interface Question {
  readonly title: NamedText;
  /** What will happen, and whether it can be undone. */
  readonly text: NamedText;
  /** The label of the button: verb and object. */
  readonly action: string;
}

/** The words of a change that is confirmed first. */
export interface ConfirmedChange extends Question {
  /** What was done. */
  readonly done: NamedText;
}

export interface Caution {
  readonly look?: "danger";
  /** The user must type this first: for changes that cannot be undone. */
  readonly typed?: string;
  /** The label of the button that cancels. */
  readonly keep?: string;
}

interface Asked extends Caution {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly answer: (yes: boolean) => void;
}

/** Returns a text with the name put in. */
export function about(name: string, text: NamedText): string {
  return typeof text === "string" ? text : text(name);
}

const asked = signal<Asked | undefined>(undefined);
const typed = signal("");

/** Asks the user to confirm a change to what has that name. Resolves with false when they cancel. */
export function confirm(
  { title, text, action }: Question,
  name = "",
  caution: Caution = {},
): Promise<boolean> {
  asked.peek()?.answer(false);
  typed.value = "";
  return new Promise((resolve) => {
    asked.value = {
      title: about(name, title),
      text: about(name, text),
      action,
      ...caution,
      answer: (yes) => {
        asked.value = undefined;
        resolve(yes);
      },
    };
  });
}

/** Cancels the open question, because the user left the view. */
export function withdrawQuestion(): void {
  asked.peek()?.answer(false);
}

/** Shows the questions of `confirm`; rendered once on every page. */
export function Confirmation(): JSX.Element | null {
  const question = asked.value;
  if (question === undefined) return null;
  const { title, text, action, look = "primary", answer, keep } = question;
  const word = question.typed;
  return (
    <Dialog
      title={title}
      action={action}
      look={look}
      {...(keep === undefined ? {} : { cancel: keep })}
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

/** Normalizes a text to what people can see and type: without invisible formatting characters. */
function typeable(text: string): string {
  return text
    .normalize()
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** A dialog shown above all others, set by code that is loaded on demand. */
export const above: Signal<JSX.Element | undefined> = signal(undefined);
