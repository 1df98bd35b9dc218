import type { JSX } from "preact";

import { DAY_MS, isoTime, readTime } from "../../../../lib/base/clock.ts";
import type { Account } from "../../../../lib/model/account.ts";
import type { RecordedType } from "../../../../lib/model/audit-types.ts";
import { call, listAll, type Output } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Empty, Notice } from "../../components/feedback.tsx";
import { Badge } from "../../components/indicators.tsx";
import { FilterSelect, Listed } from "../../components/list.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { mayOwn } from "../../state/me.ts";
import { type Query, useQuery } from "../../state/query.ts";
import { useList, useResource } from "../../state/resource.ts";
import { lateWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { groupsOf, hrefOf } from "./kinds.ts";

type Entry = Output<"GET /accounts/:account/audit">[number];

const auditWords = lateWords("audit", {
  en: () => import("../../words/en/audit.ts"),
  de: () => import("../../words/de/audit.ts"),
});

/** The audit log of an account: who did what, from where and when. */
export const AuditLog = inAccount(
  auditWords.within(({ account }) => {
    const { title, about, owners, toRequests } = auditWords.words();
    return (
      <Page
        title={title}
        about={about}
        actions={<ButtonLink href={`/accounts/${account.id}/requests`}>{toRequests}</ButtonLink>}
      >
        {mayOwn.value ? (
          <Card bare>
            <Log account={account} />
          </Card>
        ) : (
          <Notice>{owners}</Notice>
        )}
      </Page>
    );
  }),
);

function Log({ account }: { readonly account: Account }): JSX.Element {
  const [query, change] = useQuery();
  const filter = filterIn(query);
  const list = useList(JSON.stringify(filter), (page) =>
    call("GET /accounts/:account/audit", { account: account.id, query: { ...filter, ...page } }),
  );
  const people = useResource(account.id, () =>
    listAll("GET /accounts/:account/members", { account: account.id }),
  );
  const names = useNames(account.id, people.value ?? []);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const text = auditWords.words();
  return (
    <>
      <Filters
        account={account}
        isFiltered={isFiltered}
        people={people.value ?? []}
        names={names}
      />
      <Listed
        list={list}
        lines={10}
        empty={
          isFiltered ? (
            <Empty title={text.noneFoundTitle}>{text.noneFoundText}</Empty>
          ) : (
            <Empty title={text.emptyTitle}>{text.emptyText}</Empty>
          )
        }
        count={text.shown}
      >
        {(items) => (
          <Entries
            items={items}
            names={names}
            onActor={(actor) => change({ actor })}
            onSubject={(subject) => change({ subject })}
          />
        )}
      </Listed>
    </>
  );
}

type Person = Output<"GET /accounts/:account/members">[number];

/** Names of what entries are about, by the subject: only of what still exists. */
type Names = ReadonlyMap<string, string>;

function nameOf({ name, email }: Person): string {
  return name === "" ? email : name;
}

/** Returns the names of people, projects and webhooks, as far as they have arrived. */
function useNames(account: string, people: readonly Person[]): Names {
  const projects = useResource(account, () =>
    listAll("GET /accounts/:account/projects", { account }),
  );
  const webhooks = useResource(account, () =>
    listAll("GET /accounts/:account/webhooks", { account }),
  );
  return new Map([
    ...people.map((person) => [`member:${person.id}`, nameOf(person)] as const),
    ...(projects.value ?? []).map(({ id, slug }) => [`project:${id}`, slug] as const),
    ...(webhooks.value ?? []).map(
      ({ id, description, url }) => [`webhook:${id}`, description ?? url] as const,
    ),
  ]);
}

/** Returns the groups by which the log is filtered. The words name every type. */
function groups(): ReturnType<typeof groupsOf> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of that record
  return groupsOf(Object.keys(auditWords.words().types) as RecordedType[]);
}

/** Returns the filter in the address, without what the service would refuse. */
function filterIn({ what, actor, subject, from, to }: Query) {
  return {
    types: groups().find(({ group }) => group === what)?.types,
    actor: actor !== undefined && ACTOR.test(actor) ? actor : undefined,
    subject: subject !== undefined && /^[a-z]+:.+$/.test(subject) ? subject : undefined,
    since: startOf(from, 0),
    until: startOf(to, 1),
  };
}

const ACTOR = /^(?:visitor|command|host|system|(?:member|token|key):\w{1,64}|user:[!-~]{1,138})$/;

/** Returns the start of a day of the user, or of the next one; undefined for a text that is no day. */
function startOf(day: string | undefined, later: 0 | 1): string | undefined {
  const utc = readTime(`${day}T00:00:00Z`);
  if (utc === undefined) return undefined;
  const offset = zoned.formatToParts(utc).find(({ type }) => type === "timeZoneName")?.value;
  // `GMT+01:00`, and `GMT` alone for UTC.
  const at = readTime(`${day}T00:00:00${offset?.slice("GMT".length) || "Z"}`) ?? utc;
  return isoTime(at + later * DAY_MS);
}

const zoned = new Intl.DateTimeFormat("en", { timeZoneName: "longOffset" });

function Filters({
  account,
  isFiltered,
  people,
  names,
}: {
  readonly account: Account;
  readonly isFiltered: boolean;
  readonly people: readonly Person[];
  readonly names: Names;
}): JSX.Element {
  const [query, change] = useQuery();
  const text = auditWords.words();
  const { actor, subject } = query;
  const known = [
    ...people.map((person) => ({ value: `member:${person.id}`, label: nameOf(person) })),
    { value: "system", label: text.kinds.system },
    { value: "command", label: text.kinds.command },
  ];
  const other = actor !== undefined && !known.some(({ value }) => value === actor);
  return (
    <search class="filters">
      <FilterSelect
        label={text.what}
        all={text.anything}
        value={query["what"]}
        options={groups().map(({ group }) => ({ value: group, label: text.groups[group] }))}
        onChoose={(what) => change({ what })}
      />
      <FilterSelect
        label={text.who}
        all={text.anybody}
        value={actor}
        options={other ? [...known, { value: actor, label: actor }] : known}
        onChoose={(value) => change({ actor: value })}
      />
      <Day label={text.from} value={query["from"]} onChoose={(day) => change({ from: day })} />
      <Day label={text.to} value={query["to"]} onChoose={(day) => change({ to: day })} />
      {subject !== undefined && <SubjectLink account={account} subject={subject} names={names} />}
      {isFiltered && (
        <Button
          look="quiet"
          onClick={() =>
            change({
              what: undefined,
              actor: undefined,
              subject: undefined,
              from: undefined,
              to: undefined,
            })
          }
        >
          {text.showAll}
        </Button>
      )}
    </search>
  );
}

function Day({
  label,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly value: string | undefined;
  /** Gets an empty text for no day. */
  readonly onChoose: (day: string) => void;
}): JSX.Element {
  return (
    <label class="row">
      <span class="soft small">{label}</span>
      <input
        class="input"
        type="date"
        value={value ?? ""}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      />
    </label>
  );
}

/** Leads to the page of the subject by which the log is filtered, if it has one. */
function SubjectLink({
  account,
  subject,
  names,
}: {
  readonly account: Account;
  readonly subject: string;
  readonly names: Names;
}): JSX.Element {
  const href = hrefOf(account.id, subject);
  const name = subjectText(subject, names);
  return <span class="row">{href === undefined ? name : <a href={href}>{name}</a>}</span>;
}

/** Returns a subject in words, such as *Animal 7* or *Project otters*. */
function subjectText(subject: string, names: Names): string {
  const { subjects } = auditWords.words();
  const [noun = "", ...rest] = subject.split(":");
  const id = names.get(subject) ?? rest.join(":");
  return Object.hasOwn(subjects, noun) ? `${named(subjects, noun)} ${id}` : id;
}

function Entries({
  items,
  names,
  onActor,
  onSubject,
}: {
  readonly items: readonly Entry[];
  readonly names: Names;
  readonly onActor: (actor: string) => void;
  readonly onSubject: (subject: string) => void;
}): JSX.Element {
  const text = auditWords.words();
  return (
    <Table
      label={text.title}
      columns={[
        { name: text.what, cell: "lead" },
        text.subject,
        text.who,
        text.from_where,
        text.when,
      ]}
      rows={items.map((entry) => ({
        key: entry.id,
        cells: [
          <What entry={entry} />,
          <Subject entry={entry} names={names} onSubject={onSubject} />,
          <Who entry={entry} onActor={onActor} />,
          <span class="soft small">{whereOf(entry)}</span>,
          <Instant at={entry.at} />,
        ],
      }))}
    />
  );
}

function What({
  entry: { type, fields = [], values = {}, environment },
}: {
  readonly entry: Entry;
}): JSX.Element {
  const text = auditWords.words();
  const details = [
    ...fields.filter((field) => field !== "status").map((field) => named(text.fields, field)),
    ...valuesShown(values),
  ];
  return (
    <>
      {named(text.types, type)}
      {environment === "staging" && (
        <>
          {" "}
          <Badge tone="warn">{words().common.staging}</Badge>
        </>
      )}
      {details.length > 0 && <div class="soft small">{details.join(", ")}</div>}
    </>
  );
}

/** Values that the subject, the badge or the type says already. */
const SAID: ReadonlySet<string> = new Set(["environment", "project", "deploy", "photo", "state"]);

/** Returns values in words: a status by what it was before. */
function valuesShown({
  before,
  status,
  ...others
}: NonNullable<Entry["values"]>): readonly string[] {
  const text = auditWords.words();
  const statuses = { ...words().common.statuses, ...text.statuses };
  const both = [before, status].filter((value) => value !== undefined);
  return [
    ...(both.length === 0 ? [] : [both.map((value) => named(statuses, String(value))).join(" → ")]),
    ...Object.entries(others)
      .filter(([name]) => !SAID.has(name))
      .map(([name, value]) => `${named(text.fields, name)}: ${value}`),
  ];
}

/** Returns the words for a name, or the name itself if a later version of the service has added it. */
function named(texts: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(texts, name) ? (texts[name] ?? name) : name;
}

function Subject({
  entry: { subject },
  names,
  onSubject,
}: {
  readonly entry: Entry;
  readonly names: Names;
  readonly onSubject: (subject: string) => void;
}): JSX.Element | null {
  if (subject === undefined) return null;
  const name = subjectText(subject, names);
  return (
    <button
      type="button"
      class="link"
      title={auditWords.words().only(name)}
      onClick={() => onSubject(subject)}
    >
      {name}
    </button>
  );
}

function Who({
  entry: { actor },
  onActor,
}: {
  readonly entry: Entry;
  readonly onActor: (actor: string) => void;
}): JSX.Element | null {
  const { kinds, only } = auditWords.words();
  if (actor === undefined) return null;
  const { kind, id, name } = actor;
  const shown = name ?? kinds[kind];
  // Who the operator is, is not known here.
  if (kind === "operator") return <>{shown}</>;
  return (
    <button
      type="button"
      class="link"
      title={only(shown)}
      onClick={() => onActor(id === undefined ? kind : `${kind}:${id}`)}
    >
      {shown}
    </button>
  );
}

/** Returns where a change came from, in words. */
function whereOf({ channel, address }: Entry): string {
  const { channels } = auditWords.words();
  const name = channel === undefined ? undefined : named(channels, channel);
  return [name, address].filter((part) => part !== undefined).join(", ");
}
