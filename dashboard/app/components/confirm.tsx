import { signal } from "@preact/signals";
import type { JSX } from "preact";

import { into } from "../state/into.ts";
import { TextField } from "./field.tsx";
import { Dialog } from "./dialog.tsx";
import { words } from "../words/words.ts";

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
          value={typed.value}
          literal
          autofocus
          onInput={into(typed)}
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
