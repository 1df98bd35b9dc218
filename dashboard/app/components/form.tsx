import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useCallback } from "preact/hooks";

import type { Problem, Result } from "../api.ts";
import type { PasskeyFault } from "../passkeys.ts";
import { inDetail } from "../words/words.ts";
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
import { toast } from "./toasts.tsx";

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
  undo?: Parameters<typeof toast>[1],
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
  { undo, ...caution }: Caution & { readonly undo?: Parameters<typeof toast>[1] } = {},
): Promise<{ readonly value: Value } | undefined> {
  const sure = await confirm(change, name, caution);
  return sure ? act(about(name, change.done), send, undo) : undefined;
}

interface Sent<Value> {
  /** Resolves with undefined to send nothing. */
  readonly send: () => Promise<Result<Value, Problem | PasskeyFault> | undefined>;
  readonly onDone: (value: Value) => void;
  readonly action: string;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}

/** A form on a page: its fields, why the last attempt failed, and the button that sends it. */
export function Form<Value>({
  send,
  onDone,
  action,
  look,
  disabled = false,
  children,
}: Sent<Value> & { readonly look?: "primary" }): JSX.Element {
  const { busy, problem, run } = useAttempt<Problem | PasskeyFault>();
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

/** A dialog that sends a form and stays open until the change is made or the user cancels. */
export function FormDialog<Value>({
  send,
  onDone,
  children,
  ...dialog
}: Sent<Value> & Omit<DialogProps, "onSubmit" | "busy">): JSX.Element {
  const { busy, problem, run } = useAttempt<Problem | PasskeyFault>();
  return (
    <Dialog {...dialog} busy={busy} onSubmit={() => void run(send, onDone)}>
      {children}
      <Refusal problem={problem} />
    </Dialog>
  );
}
