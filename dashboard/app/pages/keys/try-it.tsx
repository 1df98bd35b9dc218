import type { JSX } from "preact";

import { HOUR_MS } from "../../../../lib/base/clock.ts";
import { at, send } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { toast } from "../../components/toasts.tsx";
import { useAttempt } from "../../components/form.tsx";
import { said, words } from "../../words/words.ts";
import type { IssuedKeyAnswer } from "./issued-key.tsx";

/** Makes a staging key of short life, and opens the reference with it. */
export function TryIt({
  accountId,
  onMade,
}: {
  readonly accountId: string;
  readonly onMade: () => void;
}): JSX.Element {
  const { keys } = words();
  const attempt = useAttempt();
  const make = async (): Promise<void> => {
    await attempt.run(
      async () => {
        const made = await send<IssuedKeyAnswer>("POST", at`/accounts/${accountId}/keys`, {
          name: keys.tryItName,
          environment: "staging",
          expiresInMs: HOUR_MS,
        });
        if (!made.ok) toast(said(made.failure));
        return made;
      },
      ({ key }) => {
        // After the #: browsers send it nowhere, and the reference takes it out of its address.
        window.open(`/docs#key=${key}`, "_blank", "noopener");
        toast(keys.tryItMade);
        onMade();
      },
    );
  };
  return (
    <Button small busy={attempt.busy} onClick={() => void make()}>
      {keys.tryIt}
    </Button>
  );
}
