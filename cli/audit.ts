import { bunDigest } from "../adapters/hosts/bun.ts";
import type { PetstoreClient, PetstoreOperations } from "../domains/operations.ts";
import {
  chainVerifier,
  recordedTypes,
  type ChainFault,
  type ChainPlace,
  type Checkpoint,
  type Verified,
} from "../lib/audit/index.ts";
import { isoTime } from "../lib/base/clock.ts";
import { MAX_ID } from "../lib/base/id.ts";
import { readableMinute } from "../lib/base/readable.ts";
import { done, refused } from "../lib/base/result.ts";
import { fileSink } from "../server/data/files.ts";
import { Failure, must } from "../settings/failure.ts";
import { instant, integer, oneOf, quoted, type Parse } from "../settings/values.ts";
import { firstLine, lastLine, lineOf, verifyFile } from "./audit-file.ts";
import { withClient } from "./client.ts";
import { command, optional, optionalText, repeated, withDefault, type Command } from "./command.ts";
import { given } from "./fields.ts";
import { clientFlags, operation } from "./operation.ts";
import { createProgress, writeJson, writeTable } from "./output.ts";

type Entry = PetstoreOperations["GET /audit"]["output"][number];
type Page = PetstoreOperations["GET /audit/chain"]["output"];

const place: Parse<ChainPlace> = (written) => {
  const [, seq, hash = ""] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(written) ?? [];
  return seq === undefined
    ? refused(
        `must be a number, a colon and a hash, as \`audit verify\` prints it, not ${quoted(written)}`,
      )
    : done({ seq: Number(seq), hash });
};

const auditList = operation({
  path: "audit list",
  summary: "Show who did what, from where and when, newest first",
  details:
    "Without --account, shows the audit log of the whole installation. Names of members are looked up now: removed members have none.",
  flags: {
    account: optionalText("account", "ACCOUNT", "Only entries of this account."),
    actor: optionalText(
      "actor",
      "ACTOR",
      "Only what this actor did: member:ID, token:ID, key:ID, user:ID, visitor, command, host or system.",
    ),
    types: repeated({
      name: "type",
      placeholder: "TYPE",
      help: "Only entries of this type, such as member.removed. May be given several times.",
      parse: oneOf(recordedTypes),
    }),
    subject: optionalText(
      "subject",
      "SUBJECT",
      "Only entries about this subject, such as pet:7. Needs --account.",
    ),
    since: optional({
      name: "since",
      placeholder: "TIME",
      help: "Only entries at or after this time, such as 2026-11-20 or 2026-11-20T09:30:00Z.",
      parse: instant,
    }),
    until: optional({
      name: "until",
      placeholder: "TIME",
      help: "Only entries before this time.",
      parse: instant,
    }),
    limit: withDefault(
      {
        name: "limit",
        placeholder: "COUNT",
        help: "How many entries to show at most. Default: 50.",
        parse: integer({ min: 1, max: 500 }),
      },
      50,
    ),
    after: optional({
      name: "after",
      placeholder: "ENTRY",
      help: "Only entries older than the one with this number.",
      parse: integer({ min: 1, max: MAX_ID }),
    }),
  },
  examples: [
    "audit list",
    "audit list --account acc_7Gk2mQ9xYt4B --type member.removed",
    "audit list --account acc_7Gk2mQ9xYt4B --subject pet:7 --since 2026-11-01",
  ],
  before: ({ flags: { account, subject } }) => {
    if (account === undefined && subject !== undefined) {
      throw new Failure("usage", "--subject needs --account.");
    }
  },
  call: async ({ call }, { flags }) => {
    const { account, actor, types, subject, since, until, limit, after } = flags;
    const query = given({
      actor,
      types,
      since: timeOf(since),
      until: timeOf(until),
      limit,
      after,
    });
    return must(
      account === undefined
        ? await call("GET /audit", { query })
        : await call("GET /accounts/:account/audit", {
            account,
            query: { ...query, ...given({ subject }) },
          }),
    );
  },
  show: async (entries, { context: { terminal } }) => {
    if (entries.length === 0) {
      terminal.err("No entries.\n");
      return;
    }
    await writeTable(
      terminal,
      ["ENTRY", "AT", "WHO", "WHAT", "SUBJECT", "CHANGED", "FROM"],
      entries.map(rowOf),
    );
  },
});

function rowOf({
  id,
  at,
  type,
  actor,
  subject,
  fields,
  values,
  channel,
  address,
}: Entry): readonly string[] {
  const changed = Object.entries(values ?? {}).map(([name, value]) => `${name}=${value}`);
  return [
    String(id),
    readableMinute(at),
    whoIs(actor),
    type,
    subject ?? "",
    [...(fields ?? []), ...changed].join(" "),
    [channel, address].filter((part) => part !== undefined).join(" "),
  ];
}

/** Returns the name of an actor, or else what `--actor` takes. */
function whoIs(actor: Entry["actor"]): string {
  if (actor === undefined) return "";
  const { kind, id, name } = actor;
  return name ?? (id === undefined ? kind : `${kind}:${id}`);
}

function timeOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : isoTime(at);
}

const headFlag = optional({
  name: "head",
  placeholder: "NUMBER:HASH",
  help: "A row that an earlier `audit verify` printed. Keep it on another machine: only it reveals a log that was rewritten as a whole, or cut off.",
  parse: place,
});

const auditVerify: Command = command({
  path: "audit verify",
  summary: "Check that no row of the audit log was changed, removed or moved",
  details:
    "Reads the whole log and recomputes every hash. Prints the last row as NUMBER:HASH for the next --head. Exit code 6: the log was tampered with.",
  flags: {
    file: optionalText("file", "FILE", "Check a file that `audit export` wrote, without a server."),
    head: headFlag,
    ...clientFlags,
  },
  examples: [
    "audit verify",
    `audit verify --head 4711:${"5".repeat(8)}…`,
    "audit verify --file audit.ndjson",
  ],
  run: async ({ flags, context }) => {
    const { terminal, clock } = context;
    const { file, head: noted, json } = flags;
    const progress = createProgress(terminal, clock, "rows");
    const onRows = (count: number): void => progress.show(count, undefined);
    const checking =
      file === undefined
        ? withClient(flags, context, (client) => verifyLog(client, noted, onRows))
        : verifyFile(file, await opened(file), noted);
    const verified = await checking.finally(progress.clear);
    const { fault } = verified;
    if (json) await writeJson(terminal, { ok: fault === undefined, ...verified });
    else if (fault === undefined) await terminal.out(describe(verified));
    else terminal.fault(`The audit log was tampered with. ${textOf(fault)}\n`);
    return fault === undefined ? "done" : "notOk";
  },
});

async function opened(path: string): Promise<ReadableStream<Uint8Array>> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new Failure("notFound", `There is no file ${path}.`);
  return file.stream();
}

/** Reads the log page by page. `onPage` gets pages whose rows follow each other. Begins again if old rows were removed meanwhile. */
async function readChain(
  { call }: PetstoreClient,
  begin: (from: Checkpoint) => (page: Page) => Promise<boolean>,
): Promise<ChainPlace> {
  let onPage: ((page: Page) => Promise<boolean>) | undefined;
  let after = 0;
  for (;;) {
    const page: Page = must(await call("GET /audit/chain", { query: { after, limit: 500 } }));
    if (onPage === undefined || page.checkpoint.seq > after) {
      onPage = begin(page.checkpoint);
      after = page.checkpoint.seq;
    }
    const last = page.rows.at(-1);
    if (!(await onPage(page)) || last === undefined || last.seq >= page.head.seq) return page.head;
    after = last.seq;
  }
}

async function verifyLog(
  client: PetstoreClient,
  noted: ChainPlace | undefined,
  onRows: (count: number) => void,
): Promise<Verified> {
  let verifier: ReturnType<typeof chainVerifier> | undefined;
  const head = await readChain(client, (from) => {
    const begun = (verifier = chainVerifier(bunDigest, from, noted));
    return async ({ rows }) => {
      for (const row of rows) if (!(await begun.add(row))) return false;
      onRows(rows.at(-1)?.seq ?? 0);
      return true;
    };
  });
  if (verifier === undefined) throw new Error("Nothing was read.");
  return verifier.end(head);
}

function describe({ rows, from, head, noted }: Verified): string {
  const begun = from.seq === 0 ? "" : ` Rows up to ${from.seq} were removed after their time.`;
  const compared =
    noted === false
      ? "The row of --head was removed after its time, so it could not be compared.\n"
      : noted === true
        ? "The row of --head is part of it.\n"
        : "";
  return (
    `${rows === 1 ? "1 row" : `${rows.toLocaleString("en")} rows`}, none changed, removed or moved.${begun}\n${compared}` +
    `Keep this for the next check, on another machine: --head ${head.seq}:${head.hash}\n`
  );
}

function textOf(fault: ChainFault): string {
  const { code, seq } = fault;
  switch (code) {
    case "changed":
      return `Row ${seq} is not as it was written.`;
    case "missing":
      return `Rows ${fault.expected} to ${seq - 1} are missing.`;
    case "reordered":
      return `Row ${seq} is where row ${fault.expected} belongs.`;
    case "repeated":
      return `Row ${seq} records an event that an earlier row records.`;
    case "truncated":
      return `It ends with row ${seq}, but its last row is ${fault.expected}.`;
    case "not_the_noted":
      return `Row ${seq} is not the one of --head: the log was rewritten as a whole, or cut off and continued.`;
  }
}

const auditExport: Command = command({
  path: "audit export",
  summary: "Write the audit log as NDJSON, which `audit verify --file` checks offline",
  details:
    "docs/audit.md describes the lines. They hold IDs and client addresses: keep the file private.",
  flags: {
    output: optionalText(
      "output",
      "FILE",
      "File to write; it appears once it is complete. Default: stdout.",
    ),
    ...clientFlags,
  },
  examples: ["audit export --output audit.ndjson", "audit export > audit.ndjson"],
  run: async ({ flags, context }) => {
    const { terminal, clock } = context;
    const { output, json } = flags;
    const progress = createProgress(terminal, clock, "rows");
    const exportedAt = isoTime(clock.now());
    const sink = output === undefined ? undefined : await fileSink(output);
    const write = sink?.write ?? terminal.out;
    let head: ChainPlace;
    let count = 0;
    try {
      head = await withClient(flags, context, async (client) => {
        let last: ChainPlace | undefined;
        const end = await readChain(client, (from) => {
          if (last !== undefined) {
            throw new Failure("tryLater", "Old rows were removed meanwhile. Export again.");
          }
          last = from;
          let begun = firstLine(from, exportedAt);
          return async ({ rows }) => {
            await write(begun + rows.map(lineOf).join(""));
            begun = "";
            count += rows.length;
            last = rows.at(-1) ?? last;
            if (output !== undefined || !terminal.outIsTerminal) progress.show(count, undefined);
            return true;
          };
        });
        await write(lastLine(end));
        return end;
      });
    } catch (error) {
      await sink?.discard();
      throw error;
    } finally {
      progress.clear();
    }
    await sink?.finish();
    if (output === undefined) return "done";
    if (json) await writeJson(terminal, { file: output, rows: count, head });
    else terminal.err(`Wrote ${count} rows to ${output}\n`);
    return "done";
  },
});

export const auditCommands: readonly Command[] = [auditList, auditVerify, auditExport];
