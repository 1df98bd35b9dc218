import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import { Bones } from "../../components/feedback.tsx";
import { SignedOutPage } from "../../signed-out-page.tsx";
import { isOperator, me } from "../../state/me.ts";
import { profileWords } from "../../words/late.tsx";
import { setupWords } from "./words.ts";
import { AccountStep } from "./account-step.tsx";
import { DomainStep } from "./domain-step.tsx";
import { Ending } from "./ending.tsx";
import type { Shelter } from "./make-shelter.ts";
import { PurposeStep } from "./purpose-step.tsx";
import { type Step, Steps } from "./steps.tsx";

/** The setup wizard, opened by the setup link. */
export const Setup = profileWords.within(setupWords.within(Wizard));

function Wizard(): JSX.Element {
  // The token leaves the address once it is used.
  const token = useRef(location.hash.slice(1)).current;
  const before = useRef(token === "" ? storedStep() : undefined).current;
  const step = useSignal<Step>(before?.step ?? "account");
  const shelter = useSignal<Shelter | undefined>(before?.shelter);
  const { title } = setupWords.words();
  if (me.value === undefined) {
    return (
      <SignedOutPage title={title} wide>
        <Bones lines={8} />
      </SignedOutPage>
    );
  }
  const reach = (next: "domain" | "end", made: Shelter): void => {
    shelter.value = made;
    step.value = next;
    storeStep({ step: next, shelter: made });
  };
  // An operator who returns without a token continues; others start over.
  const first = isOperator.value && token === "" ? "purpose" : "account";
  const shown =
    step.value === "account" || (before !== undefined && !isOperator.value) ? first : step.value;
  return (
    <SignedOutPage title={title} wide>
      <Steps step={shown} />
      {shown === "account" && (
        <AccountStep
          token={token}
          onDone={() => {
            history.replaceState(history.state, "", location.pathname);
            step.value = "purpose";
          }}
        />
      )}
      {shown === "purpose" && <PurposeStep onDone={(made) => reach("domain", made)} />}
      {shown === "domain" && (
        <DomainStep
          onDone={() => {
            if (shelter.value !== undefined) reach("end", shelter.value);
          }}
        />
      )}
      {shown === "end" && shelter.value !== undefined && (
        <Ending shelter={shelter.value} again={before?.step === "end"} />
      )}
    </SignedOutPage>
  );
}

/** A step after the account was created. */
interface Reached {
  readonly step: "domain" | "end";
  readonly shelter: Shelter;
}

/** Stores the step in this history entry: a reloaded page continues there. */
function storeStep(reached: Reached): void {
  history.replaceState({ reached }, "", location.pathname);
}

/** Returns the stored step, if any. */
function storedStep(): Reached | undefined {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null || !("reached" in state)) return undefined;
  // Only `storeStep` writes it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return state.reached as Reached;
}
