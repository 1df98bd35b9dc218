import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { SECOND_MS, systemClock } from "../../../../lib/base/clock.ts";
import { call, type Output } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Code } from "../../components/copy.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Bones, Empty, Loaded, Refusal } from "../../components/feedback.tsx";
import { act } from "../../components/form.tsx";
import { Badge } from "../../components/indicators.tsx";
import { FilterSelect } from "../../components/list.tsx";
import { Table } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { usePolling, useResource } from "../../state/resource.ts";
import { number } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { webhooksWords } from "./words.ts";

type Delivery = Output<"GET /accounts/:account/webhooks/:webhook/deliveries">[number];
type State = Delivery["state"];

interface Place {
  readonly account: string;
  readonly webhook: string;
}

const STATES = ["waiting", "delivered", "failed"] as const satisfies readonly State[];
const TONES = { waiting: "warn", delivered: "good", failed: "bad" } as const;
const POLL_MS = 5 * SECOND_MS;
/** The deliveries that are shown. The API and the command list more. */
const SHOWN = 50;

/** The dialog of a webhook's deliveries, and of one of them. */
export function Deliveries({
  account,
  webhook: { id, url },
  onClose,
}: {
  readonly account: string;
  readonly webhook: { readonly id: string; readonly url: string };
  readonly onClose: () => void;
}): JSX.Element {
  const { deliveries: text } = webhooksWords.words();
  const { common } = words();
  const event = useSignal<number | undefined>(undefined);
  const place = { account, webhook: id };
  return (
    <Dialog title={text.title(new URL(url).host)} wide onClose={onClose}>
      {event.value === undefined ? (
        <List
          place={place}
          onOpen={(one) => {
            event.value = one;
          }}
        />
      ) : (
        <Details
          place={place}
          event={event.value}
          onBack={() => {
            event.value = undefined;
          }}
        />
      )}
      <div class="actions">
        <Button onClick={onClose}>{common.close}</Button>
      </div>
    </Dialog>
  );
}

function List({
  place,
  onOpen,
}: {
  readonly place: Place;
  readonly onOpen: (event: number) => void;
}): JSX.Element {
  const { deliveries: text } = webhooksWords.words();
  const state = useSignal<State | undefined>(undefined);
  const list = useResource(state.value ?? "", () =>
    call("GET /accounts/:account/webhooks/:webhook/deliveries", {
      ...place,
      query: { limit: SHOWN, ...(state.value === undefined ? {} : { state: state.value }) },
    }),
  );
  usePolling(POLL_MS, list.reload);
  return (
    <>
      <FilterSelect
        label={text.state}
        all={text.anyState}
        value={state.value}
        options={STATES.map((value) => ({ value, label: text.states[value] }))}
        onChoose={(value) => {
          state.value = STATES.find((one) => one === value);
        }}
      />
      <Loaded resource={list} lines={6}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={text.emptyTitle}>{text.emptyText}</Empty>
          ) : (
            <Table
              label={text.open}
              columns={[
                { name: text.type, cell: "lead" },
                text.state,
                text.last,
                { name: text.attempts, cell: "number" },
              ]}
              rows={items.map((delivery) => ({
                key: delivery.event,
                cells: [
                  <button
                    type="button"
                    class="link"
                    aria-label={text.details(delivery.event)}
                    onClick={() => onOpen(delivery.event)}
                  >
                    {delivery.type}
                  </button>,
                  <StateBadge state={delivery.state} />,
                  <Last delivery={delivery} />,
                  number(delivery.attempts),
                ],
              }))}
            />
          )
        }
      </Loaded>
    </>
  );
}

function StateBadge({ state }: { readonly state: State }): JSX.Element {
  return <Badge tone={TONES[state]}>{webhooksWords.words().deliveries.states[state]}</Badge>;
}

function Last({ delivery: { last } }: { readonly delivery: Delivery }): JSX.Element | null {
  const { deliveries: text, faults } = webhooksWords.words();
  if (last === undefined) return null;
  const said =
    last.status === undefined ? faults[last.fault ?? "status"] : text.status(last.status);
  return (
    <>
      {said} <Instant at={last.at} />
    </>
  );
}

/** When the next attempt is due. One that is due already begins when the receiver's turn comes. */
function Next({ at }: { readonly at: number | undefined }): JSX.Element {
  const { after, soon } = webhooksWords.words().deliveries;
  if (at === undefined) return <>{after}</>;
  return at <= systemClock.now() ? <>{soon}</> : <Instant at={at} />;
}

function Details({
  place,
  event,
  onBack,
}: {
  readonly place: Place;
  readonly event: number;
  readonly onBack: () => void;
}): JSX.Element {
  const { deliveries: text, faults } = webhooksWords.words();
  const { value, problem, reload } = useResource(String(event), () =>
    call("GET /accounts/:account/webhooks/:webhook/deliveries/:event", {
      ...place,
      event: String(event),
    }),
  );
  usePolling(POLL_MS, reload);
  const again = async (): Promise<void> => {
    const send = () =>
      call("POST /accounts/:account/webhooks/:webhook/replay", { ...place, body: { event } });
    if ((await act(text.sentAgain, send)) !== undefined) await reload();
  };
  return (
    <div class="stack">
      <div class="row">
        <Button small look="quiet" onClick={onBack}>
          {text.back}
        </Button>
        {value !== undefined && value.state !== "waiting" && (
          <Button small onClick={() => void again()}>
            {text.again}
          </Button>
        )}
      </div>
      <Refusal problem={problem} />
      {value === undefined && problem === undefined && <Bones lines={6} />}
      {value !== undefined && (
        <>
          <dl class="facts">
            <Fact name={text.event}>{String(value.event)}</Fact>
            <Fact name={text.type}>{value.type}</Fact>
            <Fact name={text.state}>
              <StateBadge state={value.state} />
            </Fact>
            <Fact name={text.attempts}>{number(value.attempts)}</Fact>
            {value.last !== undefined && (
              <Fact name={text.last}>
                <Last delivery={value} /> ({text.took(value.last.durationMs)})
              </Fact>
            )}
            {value.state === "waiting" && (
              <Fact name={text.next}>
                <Next at={value.nextAttemptAt} />
              </Fact>
            )}
          </dl>
          {value.body !== undefined && (
            <div class="stack tight">
              <h3>{text.message}</h3>
              <Code text={value.body} what={text.message} />
            </div>
          )}
          {value.last !== undefined && (
            <div class="stack tight">
              <h3>{text.answer}</h3>
              {value.last.answer === undefined ? (
                <p class="soft">
                  {value.last.fault === undefined || value.last.fault === "status"
                    ? text.noAnswer
                    : faults[value.last.fault]}
                </p>
              ) : (
                <Code text={value.last.answer} what={text.answer} />
              )}
            </div>
          )}
        </>
      )}
    </div>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: JSX.Element | string | (JSX.Element | string)[];
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
