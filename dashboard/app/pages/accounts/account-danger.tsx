import { useLocation } from "preact-iso";
import type { JSX } from "preact";

import type { Account } from "../../../../lib/model/account.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { administrationWords } from "../../words/late.tsx";
import { remove, resume, suspend } from "./account-deeds.ts";

/** What stops an account for a while, or for good. For operators. */
export function AccountDanger({ account }: { readonly account: Account }): JSX.Element {
  const { danger } = administrationWords.words().accounts;
  const { route } = useLocation();
  const gone = async (): Promise<void> => {
    if (await remove(account)) route("/accounts");
  };
  return (
    <Card look="danger" title={danger.title}>
      {account.suspendedAt === undefined ? (
        <Deed text={danger.suspendText} label={danger.suspend} onClick={() => suspend(account)} />
      ) : (
        <Deed text={danger.resumeText} label={danger.resume} onClick={() => resume(account)} />
      )}
      <Deed danger text={danger.deleteText} label={danger.delete} onClick={gone} />
    </Card>
  );
}

function Deed({
  text,
  label,
  danger = false,
  onClick,
}: {
  readonly text: string;
  readonly label: string;
  readonly danger?: boolean;
  readonly onClick: () => Promise<void>;
}): JSX.Element {
  return (
    <div class="deed">
      <p>{text}</p>
      <Button {...(danger ? { look: "danger" as const } : {})} onClick={() => void onClick()}>
        {label}
      </Button>
    </div>
  );
}
