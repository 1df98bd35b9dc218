import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useCallback } from "preact/hooks";

import type { Problem, Result } from "../api.ts";
import type { PasskeyFault } from "../passkeys.ts";
import { said } from "../words/words.ts";
import { Button } from "./button.tsx";
import { confirm, Dialog, type DialogProps, type Question } from "./dialog.tsx";
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

/** Confirms with the user, sends a change and reports the outcome as a toast. Resolves with true when it was made. */
export async function act({
  ask,
  send,
  done,
}: {
  readonly ask?: Question;
  readonly send: () => Promise<Result<unknown, Problem>>;
  readonly done: string;
}): Promise<boolean> {
  if (ask !== undefined && !(await confirm(ask))) return false;
  const result = await send();
  toast(result.ok ? done : said(result.failure));
  return result.ok;
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
