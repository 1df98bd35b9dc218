import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { KeyView } from "../../../../lib/accounts/keys.ts";
import { DAY_MS, HOUR_MS } from "../../../../lib/base/clock.ts";
import { environments, type Environment } from "../../../../lib/model/account.ts";
import { defaultScopes, scopes as allScopes, type Scope } from "../../../../lib/model/scope.ts";
import { call, type Output } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { LifetimeField } from "../../components/choice.tsx";
import { Code, download, ShownOnce } from "../../components/copy.tsx";
import {
  bound,
  CheckField,
  Field,
  SelectField,
  TextField,
  type Bound,
} from "../../components/field.tsx";
import { FormDialog } from "../../components/form.tsx";
import { apiAddresses } from "../../state/api-addresses.ts";
import { keysWords } from "./words.ts";
import { words } from "../../words/words.ts";
import { curlLine, envFile, networksIn, type NetworksFault } from "./rules.ts";

type IssuedKey = Output<"POST /accounts/:account/keys">;

/** The dialog to show. */
export type KeyDialog =
  | { readonly kind: "create"; readonly environment: Environment }
  | { readonly kind: "rotate" | "rename"; readonly key: KeyView }
  | { readonly kind: "issued"; readonly issued: IssuedKey };

interface Ends {
  readonly onIssued: (issued: IssuedKey) => void;
  readonly onClose: () => void;
}

export function KeyDialogs({
  open,
  accountId,
  onOpen,
  onChange,
}: {
  readonly open: KeyDialog | undefined;
  readonly accountId: string;
  /** Opens the next dialog, or closes this one. */
  readonly onOpen: (next: KeyDialog | undefined) => void;
  /** A key was created or renamed. */
  readonly onChange: () => void;
}): JSX.Element | null {
  const ends: Ends = {
    onIssued: (issued) => {
      onOpen({ kind: "issued", issued });
      onChange();
    },
    onClose: () => onOpen(undefined),
  };
  switch (open?.kind) {
    case undefined:
      return null;
    case "create":
      return <CreateKey accountId={accountId} environment={open.environment} {...ends} />;
    case "rotate":
      return <RotateKey keyView={open.key} {...ends} />;
    case "rename":
      return <RenameKey keyView={open.key} onRenamed={onChange} onClose={ends.onClose} />;
    case "issued":
      return <IssuedKeyDialog issued={open.issued} onDone={ends.onClose} />;
  }
}

const LIFETIMES = [undefined, DAY_MS, 7 * DAY_MS, 30 * DAY_MS, 90 * DAY_MS, 365 * DAY_MS] as const;

function CreateKey({
  accountId,
  environment,
  onIssued,
  onClose,
}: Ends & { readonly accountId: string; readonly environment: Environment }): JSX.Element {
  const keys = keysWords.words();
  const { common } = words();
  const { form } = keys;
  const name = useSignal("");
  const where = useSignal(environment);
  const scopes = useSignal<readonly Scope[]>(defaultScopes);
  const lifetime = useSignal<number | undefined>(undefined);
  const typed = useSignal("");
  const { networks, fault } = networksIn(typed.value);
  return (
    <FormDialog
      title={form.title}
      action={keys.create}
      disabled={scopes.value.length === 0 || fault !== undefined}
      send={() =>
        call("POST /accounts/:account/keys", {
          account: accountId,
          body: {
            name: name.value.trim(),
            environment: where.value,
            scopes: scopes.value,
            expiresInMs: lifetime.value,
            allowedAddresses: networks.length === 0 ? undefined : networks,
          },
        })
      }
      onDone={onIssued}
      onClose={onClose}
    >
      <NameField {...bound(name)} />
      <SelectField
        label={common.environment}
        hint={keys.environments[where.value]}
        options={environments.map((value) => ({ value, label: common[value] }))}
        {...bound(where)}
      />
      <ScopesField {...bound(scopes)} />
      <LifetimeField choices={LIFETIMES} {...bound(lifetime)} />
      <NetworksField fault={fault} {...bound(typed)} />
    </FormDialog>
  );
}

const OVERLAPS = [0, HOUR_MS, DAY_MS, 7 * DAY_MS] as const;

function RotateKey({
  keyView: { id, accountId, name },
  onIssued,
  onClose,
}: Ends & { readonly keyView: KeyView }): JSX.Element {
  const keys = keysWords.words();
  const { common } = words();
  const { rotation } = keys;
  const overlap = useSignal(String(DAY_MS));
  return (
    <FormDialog
      title={rotation.title(name === "" ? keys.unnamed : name)}
      action={rotation.action}
      send={() =>
        call("POST /accounts/:account/keys/:key/rotate", {
          account: accountId,
          key: id,
          body: { overlapMs: Number(overlap.value) },
        })
      }
      onDone={onIssued}
      onClose={onClose}
    >
      <p>{rotation.text}</p>
      <SelectField
        label={rotation.overlap}
        options={OVERLAPS.map((ms) => ({
          value: String(ms),
          label: ms === 0 ? rotation.none : common.lifetime.after(ms),
        }))}
        {...bound(overlap)}
      />
    </FormDialog>
  );
}

function RenameKey({
  keyView: { id, accountId, name: before },
  onRenamed,
  onClose,
}: {
  readonly keyView: KeyView;
  readonly onRenamed: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const keys = keysWords.words();
  const { renaming } = keys;
  const name = useSignal(before);
  return (
    <FormDialog
      title={renaming.title(before === "" ? keys.unnamed : before)}
      action={renaming.action}
      send={() =>
        call("PATCH /accounts/:account/keys/:key", {
          account: accountId,
          key: id,
          body: { name: name.value.trim() },
        })
      }
      onDone={() => {
        onClose();
        onRenamed();
      }}
      onClose={onClose}
    >
      <NameField {...bound(name)} />
    </FormDialog>
  );
}

/** Shows a key's secret, the only time that it is available. */
function IssuedKeyDialog({
  issued: { key, environment, scopes },
  onDone,
}: {
  readonly issued: IssuedKey;
  readonly onDone: () => void;
}): JSX.Element {
  const { issued: text } = keysWords.words();
  const address = apiAddresses().value[environment];
  return (
    <ShownOnce title={text.title} about={text.once} secret={key} what={text.key} onDone={onDone}>
      {(kept) => (
        <>
          <div>
            <Button
              onClick={() => {
                download(text.fileName, "text/plain", [envFile(key, address)]);
                kept();
              }}
            >
              {text.download}
            </Button>
          </div>
          {scopes.includes("pets:read") && (
            <div class="stack tight">
              <h3>{text.try}</h3>
              <p class="soft">{text.tryHint}</p>
              <Code text={curlLine(key, address)} what={text.curl} />
            </div>
          )}
        </>
      )}
    </ShownOnce>
  );
}

function NameField(field: Bound<string>): JSX.Element {
  const { form } = keysWords.words();
  return (
    <TextField
      label={form.name}
      hint={form.nameHint}
      maxLength={120}
      required
      autofocus
      {...field}
    />
  );
}

function ScopesField({ value, onInput }: Bound<readonly Scope[]>): JSX.Element {
  const keys = keysWords.words();
  return (
    <fieldset class="field">
      <legend>{keys.form.permissions}</legend>
      {allScopes.map((scope) => (
        <CheckField
          key={scope}
          label={
            <>
              {keys.scopes[scope].label} <span class="soft small">{keys.scopes[scope].hint}</span>
            </>
          }
          value={value.includes(scope)}
          onInput={(checked) => {
            onInput(allScopes.filter((one) => (one === scope ? checked : value.includes(one))));
          }}
        />
      ))}
      {value.length === 0 && (
        <p class="fault" role="alert">
          {keys.form.oneNeeded}
        </p>
      )}
    </fieldset>
  );
}

function NetworksField({
  value,
  fault,
  onInput,
}: Bound<string> & { readonly fault: NetworksFault | undefined }): JSX.Element {
  const { form } = keysWords.words();
  const text =
    fault?.kind === "invalid"
      ? form.networksFault(fault.text)
      : fault && form.tooManyNetworks(fault.maximum);
  return (
    <Field label={form.networks} hint={form.networksHint} fault={text}>
      {(tied) => (
        <textarea
          class="input mono few-lines"
          {...tied}
          rows={2}
          value={value}
          spellcheck={false}
          onInput={(event) => {
            onInput(event.currentTarget.value);
          }}
        />
      )}
    </Field>
  );
}
