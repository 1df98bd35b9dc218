import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import { DAY_MS, HOUR_MS, isoTime, systemClock } from "../../../../lib/base/clock.ts";
import { done, type Result } from "../../../../lib/base/result.ts";
import { environments, type Environment } from "../../../../lib/model/account.ts";
import { trimText } from "../../../../lib/model/text.ts";
import type { EventChoice } from "../../../../lib/model/event-groups.ts";
import { call, type Output, type Problem } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { RadioField } from "../../components/choice.tsx";
import { Code, ShownOnce } from "../../components/copy.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Bones, Notice, Refusal } from "../../components/feedback.tsx";
import { bound, CheckField, SelectField, TextField, type Bound } from "../../components/field.tsx";
import { FormDialog, useAttempt } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { duration } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { Deliveries } from "./deliveries.tsx";
import { webhooksWords } from "./words.ts";

export type Webhook = Output<"GET /accounts/:account/webhooks">[number];
type Issued = Output<"POST /accounts/:account/webhooks">;

/** The dialog to show. */
export type WebhookDialog =
  | { readonly kind: "add" }
  | {
      readonly kind: "edit" | "test" | "deliveries" | "rotate" | "replay";
      readonly webhook: Webhook;
    }
  | { readonly kind: "issued"; readonly issued: Issued };

/** Returns the host of a webhook's address. */
export function hostOf({ url }: Pick<Webhook, "url">): string {
  return new URL(url).host;
}

interface Ends {
  readonly account: string;
  readonly onChange: () => void;
  readonly onIssued: (issued: Issued) => void;
  readonly onClose: () => void;
}

/** Shows a dialog of the page. */
export function WebhookDialogs({
  open,
  account,
  onOpen,
  onChange,
}: {
  readonly open: WebhookDialog | undefined;
  readonly account: string;
  /** Opens the next dialog, or closes this one. */
  readonly onOpen: (next: WebhookDialog | undefined) => void;
  readonly onChange: () => void;
}): JSX.Element | null {
  const ends: Ends = {
    account,
    onChange,
    onIssued: (issued) => {
      onOpen({ kind: "issued", issued });
      onChange();
    },
    onClose: () => onOpen(undefined),
  };
  if (open === undefined) return null;
  if (open.kind === "add") return <WebhookForm {...ends} />;
  if (open.kind === "issued") return <SecretDialog issued={open.issued} onDone={ends.onClose} />;
  const { webhook } = open;
  switch (open.kind) {
    case "edit":
      return <WebhookForm webhook={webhook} {...ends} />;
    case "test":
      return <Test webhook={webhook} {...ends} />;
    case "deliveries":
      return <Deliveries account={account} webhook={webhook} onClose={ends.onClose} />;
    case "rotate":
      return <Rotate webhook={webhook} {...ends} />;
    case "replay":
      return <Replay webhook={webhook} {...ends} />;
  }
}

const BOTH = "both";
type Where = Environment | typeof BOTH;

/** Adds a webhook, or changes one. */
function WebhookForm({
  webhook,
  account,
  onIssued,
  onChange,
  onClose,
}: Ends & { readonly webhook?: Webhook }): JSX.Element {
  const { form } = webhooksWords.words();
  const { common } = words();
  const url = useSignal(webhook?.url ?? "");
  const description = useSignal(webhook?.description ?? "");
  const where = useSignal<Where>(webhook?.environment ?? BOTH);
  const all = useSignal<"all" | "some">(webhook?.types === undefined ? "all" : "some");
  const types = useSignal<readonly EventChoice[]>(webhook?.types ?? []);
  const send = async (): Promise<Result<Issued | undefined, Problem>> => {
    const chosen = all.value === "all" ? undefined : types.value;
    const environment = where.value === BOTH ? undefined : where.value;
    const typed = { url: url.value.trim(), description: description.value.trim() };
    if (webhook === undefined) {
      const body = { ...typed, types: chosen, environment };
      return call("POST /accounts/:account/webhooks", { account, body });
    }
    const body = { ...typed, types: chosen ?? null, environment: environment ?? null };
    const path = { account, webhook: webhook.id };
    const saved = await call("PATCH /accounts/:account/webhooks/:webhook", { ...path, body });
    return saved.ok ? done(undefined) : saved;
  };
  return (
    <FormDialog
      title={webhook === undefined ? form.addTitle : form.editTitle(hostOf(webhook))}
      wide
      action={webhook === undefined ? form.addTitle : form.save}
      disabled={trimText(url.value) === "" || (all.value === "some" && types.value.length === 0)}
      send={send}
      onDone={(issued) => {
        if (issued !== undefined) {
          onIssued(issued);
          return;
        }
        toast(form.saved);
        onChange();
        onClose();
      }}
      onClose={onClose}
    >
      <TextField
        label={form.url}
        hint={form.urlHint}
        type="url"
        maxLength={2_000}
        required
        autofocus
        literal
        {...bound(url)}
      />
      <TextField
        label={form.description}
        hint={form.descriptionHint}
        maxLength={200}
        {...bound(description)}
      />
      <SelectField
        label={form.environment}
        options={[
          { value: BOTH, label: form.both },
          ...environments.map((value) => ({ value, label: common[value] })),
        ]}
        {...bound(where)}
      />
      <RadioField
        label={form.which}
        options={[
          { value: "all", label: form.all },
          { value: "some", label: form.some },
        ]}
        {...bound(all)}
      />
      {all.value === "some" && <TypesField {...bound(types)} />}
    </FormDialog>
  );
}

/** Chooses types of events by what they are about. */
function TypesField({ value, onInput }: Bound<readonly EventChoice[]>): JSX.Element {
  const { groups, form } = webhooksWords.words();
  // The keys of a literal, which name nouns of events.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const nouns = Object.keys(groups) as (keyof typeof groups)[];
  return (
    <fieldset class="field">
      <legend class="out-of-sight">{form.some}</legend>
      {nouns.map((noun) => {
        const label = groups[noun];
        const others = value.filter((type) => !type.startsWith(`${noun}.`));
        // Single types, which the API and the command can choose.
        const single = value.filter((type) => type.startsWith(`${noun}.`) && !type.endsWith(".*"));
        return (
          <CheckField
            key={noun}
            label={
              <>
                {label} {single.length > 0 && <span class="soft small">({single.join(", ")})</span>}
              </>
            }
            value={others.length < value.length}
            onInput={(on) => onInput(on ? [...others, `${noun}.*`] : others)}
          />
        );
      })}
    </fieldset>
  );
}

/** Shows a webhook's secret, the only time that it is available. */
function SecretDialog({
  issued,
  onDone,
}: {
  readonly issued: Issued;
  readonly onDone: () => void;
}): JSX.Element {
  const { secret } = webhooksWords.words();
  return (
    <ShownOnce
      title={secret.title}
      about={secret.once}
      secret={issued.secret}
      what={secret.what}
      onDone={onDone}
    >
      {() => (
        <p>
          <a href="/help/webhooks" target="_blank" rel="noopener">
            {secret.how}
          </a>
        </p>
      )}
    </ShownOnce>
  );
}

/** Sends a test message when it is opened, and shows the answer. */
function Test({ webhook, account, onClose }: Ends & { readonly webhook: Webhook }): JSX.Element {
  const { tested, faults, deliveries } = webhooksWords.words();
  const { common } = words();
  const outcome = useSignal<Output<"POST /accounts/:account/webhooks/:webhook/test"> | undefined>(
    undefined,
  );
  const { problem, run } = useAttempt();
  useEffect(() => {
    const path = { account, webhook: webhook.id };
    void run(
      () => call("POST /accounts/:account/webhooks/:webhook/test", path),
      (value) => {
        outcome.value = value;
      },
    );
  }, []);
  const { delivered, last } = outcome.value ?? {};
  return (
    <Dialog title={tested.title} wide onClose={onClose}>
      <Refusal problem={problem} />
      {last === undefined && problem === undefined && <Bones lines={4} />}
      {last !== undefined && (
        <>
          <Notice tone={delivered === true ? "good" : "bad"}>
            <p>
              {delivered === true
                ? tested.good(last.status ?? 200)
                : `${tested.bad} ${faults[last.fault ?? "status"]}`}
            </p>
          </Notice>
          <p class="soft">
            {last.status !== undefined && `${deliveries.status(last.status)}, `}
            {deliveries.took(last.durationMs)}
          </p>
          {last.answer !== undefined && <Code text={last.answer} what={deliveries.answer} />}
        </>
      )}
      <div class="actions">
        <Button onClick={onClose}>{common.close}</Button>
      </div>
    </Dialog>
  );
}

const OVERLAPS = [0, HOUR_MS, DAY_MS, 7 * DAY_MS] as const;

function Rotate({
  webhook,
  account,
  onIssued,
  onClose,
}: Ends & { readonly webhook: Webhook }): JSX.Element {
  const { rotate } = webhooksWords.words();
  const { common } = words();
  const overlap = useSignal(String(DAY_MS));
  return (
    <FormDialog
      title={rotate.title(hostOf(webhook))}
      action={rotate.action}
      send={() =>
        call("POST /accounts/:account/webhooks/:webhook/rotate", {
          account,
          webhook: webhook.id,
          body: { overlapMs: Number(overlap.value) },
        })
      }
      onDone={onIssued}
      onClose={onClose}
    >
      <p>{rotate.text}</p>
      <SelectField
        label={rotate.overlap}
        options={OVERLAPS.map((ms) => ({
          value: String(ms),
          label: ms === 0 ? rotate.none : common.lifetime.after(ms),
        }))}
        {...bound(overlap)}
      />
    </FormDialog>
  );
}

const PERIODS = [HOUR_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS, 30 * DAY_MS] as const;

function Replay({
  webhook,
  account,
  onChange,
  onClose,
}: Ends & { readonly webhook: Webhook }): JSX.Element {
  const { replay } = webhooksWords.words();
  const period = useSignal(String(DAY_MS));
  const send = async (): Promise<Result<number, Problem>> => {
    const path = { account, webhook: webhook.id };
    const now = systemClock.now();
    // One end for all calls: events go on happening.
    const range = { from: isoTime(now - Number(period.value)), to: isoTime(now) };
    let queued = 0;
    for (let after: number | undefined; ;) {
      const body = { ...range, ...(after === undefined ? {} : { after }) };
      const part = await call("POST /accounts/:account/webhooks/:webhook/replay", {
        ...path,
        body,
      });
      if (!part.ok) return part;
      queued += part.value.queued;
      if (part.value.next === undefined) return done(queued);
      after = part.value.next;
    }
  };
  return (
    <FormDialog
      title={replay.title(hostOf(webhook))}
      action={replay.action}
      send={send}
      onDone={(queued) => {
        toast(replay.queued(queued));
        onChange();
        onClose();
      }}
      onClose={onClose}
    >
      <p>{replay.text}</p>
      <SelectField
        label={replay.period}
        options={PERIODS.map((ms) => ({ value: String(ms), label: duration(ms) }))}
        {...bound(period)}
      />
    </FormDialog>
  );
}
