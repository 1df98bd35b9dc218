import { useLocation } from "preact-iso";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { Account } from "../../../../lib/model/account.ts";
import { Environments, StagingNotice } from "../../components/environments.tsx";
import { Page } from "../../components/page.tsx";
import { inEnvironment, useEnvironment } from "../../state/environment.ts";
import { mayChange } from "../../state/me.ts";
import { words } from "../../words/words.ts";

/** What the views of a catalogue have in common: the way between them, and which catalogue it is. */
export function AnimalSection({
  account,
  title,
  about,
  actions,
  children,
}: {
  readonly account: Account;
  readonly title: string;
  readonly about: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { path } = useLocation();
  const environment = useEnvironment();
  const { animals } = words();
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    // Where there is no room for all of them.
    tabs.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [path]);
  const base = `/accounts/${account.id}`;
  const views = [
    { href: `${base}/animals`, label: animals.title },
    { href: `${base}/categories`, label: animals.categories },
    ...(mayChange.value ? [{ href: `${base}/import`, label: animals.importing }] : []),
    { href: `${base}/deleted`, label: animals.deleted },
  ];
  return (
    <Page title={title} about={about} actions={actions}>
      <div class="section-bar">
        <nav ref={tabs} class="tabs" aria-label={animals.sections}>
          {views.map(({ href, label }) => (
            <a
              key={href}
              href={href + inEnvironment(environment)}
              {...(href === path ? { "aria-current": "page" as const } : {})}
            >
              {label}
            </a>
          ))}
        </nav>
        <Environments />
      </div>
      <StagingNotice />
      {children}
    </Page>
  );
}
