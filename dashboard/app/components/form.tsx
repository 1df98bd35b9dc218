import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useCallback } from "preact/hooks";

import type { Problem, Result } from "../api.ts";
import type { PasskeyFault } from "../passkeys.ts";
import { inDetail, words } from "../words/words.ts";
import { Button } from "./button.tsx";
import {
  about,
  confirm,
  Dialog,
  type Caution,
  type ConfirmedChange,
  type DialogProps,
} from "./dialog.tsx";
import { Refusal } from "./feedback.tsx";
import { toast, type ToastAction } from "./toasts.tsx";
import { useTypedForm, useUnsaved } from "./unsaved.ts";

/** One kind of change, sent by a form or a button. */
export interface Attempt<Failure> {
  /** The request is under way. */
  readonly busy: boolean;
  /** Why the last request failed. */
  readonly problem: Failure | undefined;
  /** Sends the request unless one is under way. `send` resolves with undefined to send nothing. */
  readonly run: <Value>(
    send: () => Promise<Result<Value, Failure> | undefined>,
    onDone: (value: Value) => void,
  ) => Promise<void>;
}

export function useAttempt<Failure = Problem>(): Attempt<Failure> {
  const busy = useSignal(false);
  const problem = useSignal<Failure | undefined>(undefined);
  const run = useCallback<Attempt<Failure>["run"]>(async (send, onDone) => {
    if (busy.peek()) return;
    busy.value = true;
    problem.value = undefined;
    const result = await send();
    busy.value = false;
    if (result?.ok === true) onDone(result.value);
    else problem.value = result?.failure;
  }, []);
  return { busy: busy.value, problem: problem.value, run };
}

/** Sends a change and reports its outcome in a toast. Resolves with undefined if it was refused. */
export async function act<Value>(
  done: string,
  send: () => Promise<Result<Value, Problem>>,
  undo?: ToastAction,
): Promise<{ readonly value: Value } | undefined> {
  const result = await send();
  if (result.ok) toast(done, undo);
  else toast(inDetail(result.failure));
  return result.ok ? result : undefined;
}

/** Like `act`, after the user has confirmed. Resolves with undefined also if they cancel. */
export async function actIfSure<Value>(
  change: ConfirmedChange,
  name: string,
  send: () => Promise<Result<Value, Problem>>,
  { undo, ...caution }: Caution & { readonly undo?: ToastAction } = {},
): Promise<{ readonly value: Value } | undefined> {
  const sure = await confirm(change, name, caution);
  return sure ? act(about(name, change.done), send, undo) : undefined;
}

/** The button of a toast that takes a change back. A refusal is shown in another toast, which offers to try again. */
export function undoBy(undo: () => Promise<Result<unknown, Problem>>): ToastAction {
  const { common } = words();
  const run = async (): Promise<void> => {
    const result = await undo();
    if (result.ok) return;
    toast(inDetail(result.failure), { label: common.retry, run: () => void run() });
  };
  return { label: common.undo, run: () => void run() };
}

interface Sent<Value> {
  /** Resolves with undefined to send nothing. */
  readonly send: () => Promise<Result<Value, Problem | PasskeyFault> | undefined>;
  readonly onDone: (value: Value) => void;
  readonly action: string;
  /** Nothing was changed yet, or the input is invalid. */
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}

/**
 * A form on a page: its fields, why the last attempt failed, and the button that sends it. Asks before its changes are
 * lost.
 */
export function Form<Value>({
  send,
  onDone,
  action,
  look,
  disabled = false,
  children,
}: Sent<Value> & { readonly look?: "primary" }): JSX.Element {
  const { busy, problem, run } = useAttempt<Problem | PasskeyFault>();
  useUnsaved(!disabled);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void run(send, onDone);
      }}
    >
      {children}
      <Refusal problem={problem} />
      <div class="row">
        <Button type="submit" look={look} busy={busy} disabled={disabled}>
          {action}
        </Button>
      </div>
    </form>
  );
}

/**
 * A dialog that sends a form and stays open until the change is made or the user cancels. Asks before its input is lost.
 */
export function FormDialog<Value>({
  send,
  onDone,
  children,
  onClose,
  ...dialog
}: Sent<Value> & Omit<DialogProps, "onSubmit" | "busy">): JSX.Element {
  const { busy, problem, run } = useAttempt<Problem | PasskeyFault>();
  const { form, asking } = useTypedForm();
  return (
    <Dialog
      {...dialog}
      form={form}
      busy={busy}
      onSubmit={() => void run(send, onDone)}
      onClose={asking(onClose)}
    >
      {children}
      <Refusal problem={problem} />
    </Dialog>
  );
}
