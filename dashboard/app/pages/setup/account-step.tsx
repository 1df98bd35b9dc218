import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { Card } from "../../components/card.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { time } from "../../words/format.ts";
import { setupWords } from "../../words/setup-words.ts";
import { AccountForm } from "./account-form.tsx";
import { LinkGone, Unsafe } from "./link-gone.tsx";
import { useLinkState } from "./link-state.ts";
import { StepHead } from "./steps.tsx";

/** Who the first operator is. */
export function AccountStep({
  token,
  onDone,
}: {
  readonly token: string;
  readonly onDone: () => void;
}): JSX.Element {
  const link = useLinkState(token);
  const spent = useSignal(false);
  const { account } = setupWords.words();
  return (
    <Loaded resource={link} lines={8}>
      {(state) => {
        if (state.kind === "unsafe") return <Unsafe token={token} />;
        if (state.kind !== "good" || spent.value) {
          return <LinkGone missing={state.kind === "missing"} />;
        }
        return (
          <>
            <StepHead title={account.title}>
              {account.about} {account.goodFor(time(state.expiresAt))}
            </StepHead>
            <Card>
              <AccountForm
                token={token}
                onSpent={() => {
                  spent.value = true;
                }}
                onDone={onDone}
              />
            </Card>
          </>
        );
      }}
    </Loaded>
  );
}
