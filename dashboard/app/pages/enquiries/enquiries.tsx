import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { enquiryStates, type EnquiryState } from "../../../../lib/enquiries/model.ts";
import { call } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { download } from "../../components/copy.tsx";
import { Environments, StagingNotice } from "../../components/choice.tsx";
import { Empty, Notice } from "../../components/feedback.tsx";
import { FilterSelect, Listed } from "../../components/list.tsx";
import { Menu } from "../../components/menu.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { countEnquiries } from "../../state/inbox.ts";
import { inAccount } from "../../state/in-account.tsx";
import { useLive } from "../../state/live.ts";
import { mayChange } from "../../state/me.ts";
import { type Query, useEnvironment, useQuery } from "../../state/query.ts";
import { useList } from "../../state/resource.ts";
import { enquiriesWords } from "./words.ts";
import { problemText, words } from "../../words/words.ts";
import { inCatalogue, type Where } from "../animals/catalogue.tsx";
import { enquiriesAsCsv, moveEnquiry, removeEnquiry, type Enquiry } from "./enquiry-changes.ts";
import { EnquiryDialog } from "./enquiry-dialog.tsx";

/** The inbox of an account: what visitors of its sites have asked. */
export const Enquiries = inAccount(
  enquiriesWords.within(({ account }) => {
    const environment = useEnvironment();
    const { title, about, viewer } = enquiriesWords.words();
    return (
      <Page title={title} about={about} actions={<Environments />}>
        <StagingNotice />
        {mayChange.value ? (
          <Card bare>
            <Inbox key={environment} where={{ account, environment }} />
          </Card>
        ) : (
          <Notice>{viewer}</Notice>
        )}
      </Page>
    );
  }),
);

const EVENT = "enquiry.created";
const FIRST_PAGE = 50;

function Inbox({ where }: { readonly where: Where }): JSX.Element {
  const [query, change] = useQuery();
  const state = stateIn(query);
  const list = useList(state ?? "", (page) =>
    call("GET /accounts/:account/:environment/enquiries", {
      ...inCatalogue(where),
      query: { state, ...page },
    }),
  );
  useLive({
    path: `/accounts/${where.account.id}/events?types=${EVENT}`,
    events: [EVENT],
    // A user who has loaded more keeps their place.
    onEvents: () => {
      void countEnquiries();
      if ((list.items?.length ?? 0) <= FIRST_PAGE) void list.reload();
    },
    poll: list.reload,
  });
  const onChanged = (enquiry: Enquiry): void => {
    list.change((items) => items.map((one) => (one.id === enquiry.id ? enquiry : one)));
    void countEnquiries();
  };
  const onRemoved = ({ id }: Enquiry): void => {
    list.change((items) => items.filter((one) => one.id !== id));
    void countEnquiries();
  };
  const { emptyTitle, emptyText, noneFoundTitle, noneFoundText, shown } = enquiriesWords.words();
  return (
    <>
      <StateFilter />
      <Listed
        list={list}
        lines={6}
        empty={
          state === undefined ? (
            <Empty title={emptyTitle}>{emptyText}</Empty>
          ) : (
            <Empty title={noneFoundTitle}>{noneFoundText}</Empty>
          )
        }
        count={shown}
        actions={<Export where={where} />}
      >
        {(items) => (
          <EnquiryTable
            items={items}
            onOpen={({ id }) => change({ enquiry: String(id) })}
            onMove={(enquiry, to) => void moveEnquiry(where, enquiry, to, onChanged)}
            onRemove={(enquiry) => void removeEnquiry(where, enquiry, onRemoved)}
          />
        )}
      </Listed>
      {query["enquiry"] !== undefined && (
        <EnquiryDialog
          key={query["enquiry"]}
          where={where}
          id={query["enquiry"]}
          onSaved={onChanged}
          onClose={() => change({ enquiry: undefined })}
        />
      )}
    </>
  );
}

/** Reads the filter from the address and ignores invalid values. */
function stateIn({ state }: Query): EnquiryState | undefined {
  return enquiryStates.find((one) => one === state);
}

function StateFilter(): JSX.Element {
  const [query, change] = useQuery();
  const { state: label, anyState, states, showAll } = enquiriesWords.words();
  const state = stateIn(query);
  return (
    <search class="filters">
      <FilterSelect
        label={label}
        all={anyState}
        value={state}
        options={enquiryStates.map((value) => ({ value, label: states[value] }))}
        onChoose={(value) => change({ state: value })}
      />
      {state !== undefined && (
        <Button look="quiet" onClick={() => change({ state: undefined })}>
          {showAll}
        </Button>
      )}
    </search>
  );
}

const toneOf = { new: "warn", answered: "good", closed: "plain" } as const;

function EnquiryTable({
  items,
  onOpen,
  onMove,
  onRemove,
}: {
  readonly items: readonly Enquiry[];
  readonly onOpen: (enquiry: Enquiry) => void;
  readonly onMove: (enquiry: Enquiry, to: EnquiryState) => void;
  readonly onRemove: (enquiry: Enquiry) => void;
}): JSX.Element {
  const texts = enquiriesWords.words();
  const { common } = words();
  return (
    <Table
      label={texts.title}
      columns={[
        { name: texts.from, cell: "lead" },
        { name: texts.animal, cell: "name" },
        { name: texts.state, cell: "control" },
        texts.when,
        { name: texts.number, cell: "number" },
        { name: texts.actions, cell: "end corner" },
      ]}
      rows={items.map((enquiry) => ({
        key: enquiry.id,
        cells: [
          <button
            type="button"
            class="link"
            aria-label={texts.openOne(enquiry.name)}
            onClick={() => onOpen(enquiry)}
          >
            {enquiry.name}
          </button>,
          enquiry.petName,
          <div class="segments small" role="group" aria-label={texts.stateOf(enquiry.name)}>
            {enquiryStates.map((one) => (
              <button
                key={one}
                type="button"
                class={one === enquiry.state ? toneOf[one] : ""}
                aria-pressed={one === enquiry.state}
                onClick={() => {
                  if (one !== enquiry.state) onMove(enquiry, one);
                }}
              >
                {texts.states[one]}
              </button>
            ))}
          </div>,
          <Instant at={enquiry.createdAt} />,
          <span class="soft">{enquiry.id}</span>,
          <Menu
            label={common.more(enquiry.name)}
            items={[
              { label: texts.open, onClick: () => onOpen(enquiry) },
              { label: texts.remove.action, danger: true, onClick: () => onRemove(enquiry) },
            ]}
          />,
        ],
      }))}
    />
  );
}

/** Downloads all enquiries as a CSV file. */
function Export({ where }: { readonly where: Where }): JSX.Element {
  const busy = useSignal(false);
  const { export: label, exported } = enquiriesWords.words();
  const write = async (): Promise<void> => {
    busy.value = true;
    const written = await enquiriesAsCsv(where);
    busy.value = false;
    if (!written.ok) {
      toast(problemText(written.failure));
      return;
    }
    download("enquiries.csv", "text/csv", written.value.parts);
    toast(exported(written.value.count));
  };
  return (
    <Button small look="quiet" busy={busy.value} onClick={() => void write()}>
      {label}
    </Button>
  );
}
