import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { ShareLinkView } from "../../../../domains/view/shapes.ts";
import { MINUTE_MS, systemClock } from "../../../../lib/base/clock.ts";
import { done, type Result } from "../../../../lib/base/result.ts";
import { call, type Output, type Problem } from "../../api.ts";
import { Code } from "../../components/copy.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Loaded } from "../../components/feedback.tsx";
import { Card } from "../../components/page.tsx";
import { Instant } from "../../components/time.tsx";
import { SignedOutPage } from "../../signed-out-page.tsx";
import { useResource } from "../../state/resource.ts";
import { dateTime } from "../../words/format.ts";
import { domainWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { Findings } from "./findings.tsx";
import { Records } from "./records.tsx";

type SharedDomain = Output<"POST /shared-domain">;

/** Null for a link that does not work. */
async function readShared(token: string): Promise<Result<SharedDomain | null, Problem>> {
  if (token === "") return done(null);
  const read = await call("POST /shared-domain", { body: { token } });
  return !read.ok && read.failure.code === "not_found" ? done(null) : read;
}

/** The records of a domain for the holder of a share link, who needs no account. */
export const SharedDomainPage = domainWords.within(() => {
  const token = useRef(location.hash.slice(1)).current;
  const { share } = domainWords.words();
  const shared = useResource(token, () => readShared(token));
  const { reload, value } = shared;
  const ended = value === null;
  useEffect(() => {
    if (ended) return;
    const stop = new AbortController();
    const follow = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        await systemClock.sleep(MINUTE_MS, stop.signal);
        await reload();
      }
    };
    // Ends when the page is left.
    follow().catch(() => undefined);
    return () => {
      stop.abort();
    };
  }, [reload, ended]);
  const title = value ? share.page(value.unicode) : share.pageTitle;
  return (
    <SignedOutPage title={title} wide>
      <Loaded resource={shared} lines={8}>
        {(domain) =>
          domain === null ? (
            <>
              <h1>{share.ended}</h1>
              <Card>
                <p>{share.endedText}</p>
              </Card>
            </>
          ) : (
            <Shared domain={domain} title={title} />
          )
        }
      </Loaded>
    </SignedOutPage>
  );
});

function Shared({
  domain,
  title,
}: {
  readonly domain: SharedDomain;
  readonly title: string;
}): JSX.Element {
  const { share } = domainWords.words();
  const { dns, records, expiresAt } = domain;
  const found = records.every(({ state }) => state === "found");
  return (
    <>
      <div class="stack tight">
        <h1>{title}</h1>
        <p class="soft">
          {found ? share.found : share.lead}{" "}
          {dns.checkedAt !== null && (
            <>
              {share.checked} <Instant at={dns.checkedAt} />.
            </>
          )}
        </p>
      </div>
      <Records domain={domain} />
      <Findings findings={dns.findings} shown="" />
      <p class="soft small">{share.goodFor(dateTime(expiresAt))}</p>
    </>
  );
}

/** Shows a new share link, until it is closed. */
export function ShareDialog({
  link: { url, token, expiresAt },
  unicode,
  onDone,
}: {
  readonly link: ShareLinkView;
  readonly unicode: string;
  readonly onDone: () => void;
}): JSX.Element {
  const { share } = domainWords.words();
  const { common } = words();
  return (
    <Dialog
      title={share.title(unicode)}
      action={common.done}
      stays
      wide
      onSubmit={onDone}
      onClose={onDone}
    >
      <p>{share.text(dateTime(expiresAt))}</p>
      <Code text={url ?? token} what={share.what} />
    </Dialog>
  );
}

/** Makes share links for a domain, and holds the one that is shown. */
export function useShareLink(project: string, domain: string) {
  const link = useSignal<ShareLinkView | undefined>(undefined);
  return {
    link: link.value,
    close: () => {
      link.value = undefined;
    },
    make: async () => {
      const made = await call("POST /projects/:project/domains/:domain/share", {
        project,
        domain,
        body: {},
      });
      if (made.ok) link.value = made.value;
      return made;
    },
  };
}
