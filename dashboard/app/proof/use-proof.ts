import { useSignal } from "@preact/signals";

import { send, type Problem, type Result } from "../api.ts";
import type { PasskeyFault, PasskeyJson } from "../passkeys.ts";
import { me } from "../state/me.ts";

/** A proof, as far as it has come. */
export interface Proof {
  readonly busy: boolean;
  /** The browser had no passkey for us. */
  readonly fault: PasskeyFault | undefined;
  /** The service did not take it. */
  readonly problem: Problem | undefined;
  readonly byPassword: (password: string) => void;
  readonly byPasskey: () => void;
}

type Outcome = Result<undefined, Problem | PasskeyFault>;

/** Proves to the service who sits there; `onEnd` hears that it was taken, or that they are signed out meanwhile. */
export function useProof(onEnd: (proven: boolean) => void): Proof {
  const busy = useSignal(false);
  const fault = useSignal<PasskeyFault | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);

  const run = async (way: () => Promise<Outcome>): Promise<void> => {
    if (busy.peek()) return;
    busy.value = true;
    fault.value = undefined;
    problem.value = undefined;
    const outcome = await way();
    busy.value = false;
    if (outcome.ok) onEnd(true);
    else if (me.peek() === null) onEnd(false);
    else if (typeof outcome.failure === "string") fault.value = outcome.failure;
    else problem.value = outcome.failure;
  };

  return {
    busy: busy.value,
    fault: fault.value,
    problem: problem.value,
    byPassword: (password) => void run(() => send("POST", "/me/proof", { password })),
    byPasskey: () => void run(provenByPasskey),
  };
}

async function provenByPasskey(): Promise<Outcome> {
  const { provePasskey } = await import("../passkeys.ts");
  const begun = await send<PasskeyJson>("POST", "/me/proof/passkey/options");
  if (!begun.ok) return begun;
  const proof = await provePasskey(begun.value);
  return proof.ok ? send("POST", "/me/proof/passkey", { response: proof.value }) : proof;
}
