import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import { Bones } from "../../components/feedback.tsx";
import { Door } from "../../door.tsx";
import { isOperator, me } from "../../state/me.ts";
import { profileWords, setupWords } from "../../words/late.tsx";
import { AccountStep } from "./account-step.tsx";
import { DomainStep } from "./domain-step.tsx";
import { Ending } from "./ending.tsx";
import type { Shelter } from "./make-shelter.ts";
import { PurposeStep } from "./purpose-step.tsx";
import { type Step, Steps } from "./steps.tsx";

/** The wizard of the first start, behind the setup link. */
export const Setup = profileWords.within(setupWords.within(Wizard));

function Wizard(): JSX.Element {
  // The secret after the # is kept here alone: it leaves the address as soon as it was used.
  const token = useRef(location.hash.slice(1)).current;
  const before = useRef(token === "" ? noted() : undefined).current;
  const step = useSignal<Step>(before?.step ?? "account");
  const shelter = useSignal<Shelter | undefined>(before?.shelter);
  const { title } = setupWords.words();
  if (me.value === undefined) {
    return (
      <Door title={title} wide>
        <Bones lines={8} />
      </Door>
    );
  }
  const reach = (next: "domain" | "end", made: Shelter): void => {
    shelter.value = made;
    step.value = next;
    note({ step: next, shelter: made });
  };
  // A link has done its work for an operator who comes back to the page; for others nothing was noted.
  const first = isOperator.value && token === "" ? "purpose" : "account";
  const shown =
    step.value === "account" || (before !== undefined && !isOperator.value) ? first : step.value;
  return (
    <Door title={title} wide>
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
      {shown === "purpose" && (
        <PurposeStep
          onDone={(made) => {
            reach("domain", made);
          }}
        />
      )}
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
    </Door>
  );
}

/** A step that comes after something was made. */
export interface Reached {
  readonly step: "domain" | "end";
  readonly shelter: Shelter;
}

/** Stores the step in this history entry: a reloaded page continues there. */
export function note(reached: Reached): void {
  history.replaceState({ reached }, "", location.pathname);
}

/** What was noted; undefined where nothing was made yet. */
export function noted(): Reached | undefined {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null || !("reached" in state)) return undefined;
  // Only `note` writes it, and it ends with the tab.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return state.reached as Reached;
}
