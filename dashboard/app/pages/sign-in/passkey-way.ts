import { useSignal } from "@preact/signals";
import { useCallback, useEffect } from "preact/hooks";

import { MINUTE_MS } from "../../../../lib/base/clock.ts";
import { send, type Problem } from "../../api.ts";
import type { PasskeyFault, PasskeyJson } from "../../passkeys.ts";
import { signedIn, type Me } from "../../state/me.ts";

/** Signing in with a passkey, as far as it has come. */
export interface PasskeyWay {
  readonly busy: boolean;
  /** The browser had no passkey for us. */
  readonly fault: PasskeyFault | undefined;
  /** The service did not take it. */
  readonly problem: Problem | undefined;
  readonly begin: () => Promise<void>;
}

/** A challenge is good for five minutes: the browser is given another one before. */
const AGAIN_MS: number = 4 * MINUTE_MS;

/**
 * Signs in with a passkey when somebody asks for it; and where it is `offered` and the browser can, also when they
 * choose one in the field for the address. The code for it comes beside the page.
 */
export function usePasskeyWay(offered: boolean): PasskeyWay {
  const busy = useSignal(false);
  const fault = useSignal<PasskeyFault | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);

  const go = useCallback(async (inField: boolean): Promise<void> => {
    const { provePasskey } = await import("../../passkeys.ts");
    const begun = await send<PasskeyJson>("POST", "/sessions/passkey/options");
    if (!begun.ok) {
      if (!inField) problem.value = begun.failure;
      return;
    }
    const proof = await provePasskey(begun.value, inField);
    if (!proof.ok) {
      // In the field nobody asked for it: that nothing came of it is no news.
      if (!inField) fault.value = proof.failure;
      return;
    }
    const who = await send<Me>("POST", "/sessions/passkey", { response: proof.value });
    if (who.ok) signedIn(who.value);
    else problem.value = who.failure;
  }, []);

  const begin = useCallback(async (): Promise<void> => {
    if (busy.peek()) return;
    busy.value = true;
    fault.value = undefined;
    problem.value = undefined;
    await go(false);
    busy.value = false;
  }, []);

  useEffect(() => {
    if (!offered) return undefined;
    let left = false;
    const offer = async (): Promise<void> => {
      const { supportsAutofill } = await import("../../passkeys.ts");
      if (!left && !busy.peek() && (await supportsAutofill())) await go(true);
    };
    void offer();
    const timer = window.setInterval(() => void offer(), AGAIN_MS);
    return () => {
      left = true;
      window.clearInterval(timer);
      void import("../../passkeys.ts").then(({ cancelPasskey }) => cancelPasskey());
    };
  }, [offered]);

  return { busy: busy.value, fault: fault.value, problem: problem.value, begin };
}
