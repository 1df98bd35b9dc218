import type { JSX } from "preact";

import type { SessionView } from "../../../../lib/management/member-view.ts";
import { at, send } from "../../api.ts";
import { Badge } from "../../components/indicators.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { confirm } from "../../components/dialog.tsx";
import { Instant } from "../../components/time.tsx";
import { Loaded } from "../../components/feedback.tsx";
import { Table } from "../../components/table.tsx";
import { toast } from "../../components/toasts.tsx";
import type { Resource } from "../../state/resource.ts";
import { relative } from "../../words/format.ts";
import { profileWords } from "../../words/late.tsx";
import { said } from "../../words/words.ts";
import { browserIn } from "./browser-in.ts";

/** Where one is signed in, and a way to end that. */
export function SessionsCard({
  listed,
}: {
  readonly listed: Resource<readonly SessionView[]>;
}): JSX.Element {
  const { sessions } = profileWords.words();
  const others = (listed.value ?? []).filter(({ current }) => !current).length;

  const end = async (session: SessionView): Promise<void> => {
    const ended = await send("DELETE", at`/sessions/${session.id}`);
    toast(ended.ok ? sessions.ended(nameOf(session)) : said(ended.failure));
    await listed.reload();
  };
  const endOthers = async (): Promise<void> => {
    const sure = await confirm({
      title: sessions.endOthersTitle,
      text: sessions.endOthersText(others),
      action: sessions.endOthers,
    });
    if (!sure) return;
    const ended = await send("DELETE", "/sessions");
    toast(ended.ok ? sessions.othersEnded : said(ended.failure));
    await listed.reload();
  };

  return (
    <Card
      title={sessions.title}
      bare
      actions={
        others > 0 && (
          <Button small onClick={() => void endOthers()}>
            {sessions.endOthers}
          </Button>
        )
      }
    >
      <p class="inside soft">{sessions.about}</p>
      <Loaded resource={listed} lines={3}>
        {(all) => <SessionTable sessions={all} onEnd={end} />}
      </Loaded>
    </Card>
  );
}

function SessionTable({
  sessions: listed,
  onEnd,
}: {
  readonly sessions: readonly SessionView[];
  readonly onEnd: (session: SessionView) => Promise<void>;
}): JSX.Element {
  const { sessions } = profileWords.words();
  const { columns } = sessions;
  return (
    <Table
      label={sessions.title}
      columns={[
        columns.browser,
        columns.address,
        columns.seen,
        { name: columns.actions, cell: "end corner" },
      ]}
    >
      {listed.map((session) => (
        <tr key={session.id}>
          <td class="lead">
            <div title={session.userAgent}>
              <strong>{nameOf(session)}</strong>{" "}
              {session.current && <Badge tone="accent">{sessions.this}</Badge>}
              <div class="soft small">{sessions.since(relative(session.createdAt))}</div>
            </div>
          </td>
          <td data-label={columns.address}>
            <span class="mono">{session.address}</span>
          </td>
          <td data-label={columns.seen}>
            <Instant at={session.lastSeenAt} />
          </td>
          <td class="end">
            {!session.current && (
              <Button
                small
                label={sessions.endLabel(nameOf(session))}
                onClick={() => void onEnd(session)}
              >
                {sessions.end}
              </Button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function nameOf({ userAgent }: SessionView): string {
  const { browser, system } = browserIn(userAgent);
  const { sessions } = profileWords.words();
  if (browser !== undefined && system !== undefined) return sessions.browserOn(browser, system);
  return browser ?? system ?? sessions.unknown;
}
