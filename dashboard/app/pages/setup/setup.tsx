import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import { Bones } from "../../components/bones.tsx";
import { Door } from "../../door.tsx";
import { isOperator, me } from "../../state/me.ts";
import { profileWords } from "../../words/profile-words.ts";
import { setupWords } from "../../words/setup-words.ts";
import { AccountStep } from "./account-step.tsx";
import { DomainStep } from "./domain-step.tsx";
import { Ending } from "./ending.tsx";
import type { Shelter } from "./make-shelter.ts";
import { PurposeStep } from "./purpose-step.tsx";
import { Steps, type Step } from "./steps.tsx";

/** The wizard of the first start, behind the setup link. */
export const Setup = profileWords.within(setupWords.within(Wizard));

function Wizard(): JSX.Element {
  // The secret after the # is kept here alone: it leaves the address as soon as it was used.
  const token = useRef(location.hash.slice(1)).current;
  const step = useSignal<Step>("account");
  const shelter = useSignal<Shelter | undefined>(undefined);
  const { title } = setupWords.words();
  if (me.value === undefined) {
    return (
      <Door title={title} wide>
        <Bones lines={8} />
      </Door>
    );
  }
  // Whoever comes back to the page signed in goes on where they were asked nothing yet.
  const shown =
    step.value === "account" && token === "" && isOperator.value ? "purpose" : step.value;
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
            shelter.value = made;
            step.value = "domain";
          }}
        />
      )}
      {shown === "domain" && (
        <DomainStep
          onDone={() => {
            step.value = "end";
          }}
        />
      )}
      {shown === "end" && shelter.value !== undefined && <Ending shelter={shelter.value} />}
    </Door>
  );
}
