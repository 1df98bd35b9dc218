import type { JSX } from "preact";

import type { KeyView } from "../../../../lib/actions/local-client.ts";
import type { Environment } from "../../../../lib/model/account.ts";
import { CreateKey } from "./create-key.tsx";
import { IssuedKey, type IssuedKeyAnswer } from "./issued-key.tsx";
import { RenameKey } from "./rename-key.tsx";
import { RotateKey } from "./rotate-key.tsx";

/** What is asked for, or shown, before the page. */
export type KeyDialog =
  | { readonly kind: "create"; readonly environment: Environment }
  | { readonly kind: "rotate" | "rename"; readonly key: KeyView }
  | { readonly kind: "issued"; readonly issued: IssuedKeyAnswer };

/** The dialog that is open. */
export function KeyDialogs({
  open,
  accountId,
  onOpen,
  onChange,
}: {
  readonly open: KeyDialog | undefined;
  readonly accountId: string;
  /** Another one follows, or none. */
  readonly onOpen: (next: KeyDialog | undefined) => void;
  /** There are other keys now, or they are called otherwise. */
  readonly onChange: () => void;
}): JSX.Element | null {
  const close = (): void => {
    onOpen(undefined);
  };
  const issued = (answer: IssuedKeyAnswer): void => {
    onOpen({ kind: "issued", issued: answer });
    onChange();
  };
  switch (open?.kind) {
    case undefined:
      return null;
    case "create":
      return (
        <CreateKey
          accountId={accountId}
          environment={open.environment}
          onIssued={issued}
          onClose={close}
        />
      );
    case "rotate":
      return <RotateKey keyView={open.key} onIssued={issued} onClose={close} />;
    case "rename":
      return (
        <RenameKey
          keyView={open.key}
          onRenamed={() => {
            close();
            onChange();
          }}
          onClose={close}
        />
      );
    case "issued":
      return <IssuedKey issued={open.issued} onDone={close} />;
  }
}
