import type { JSX } from "preact";

import type { DomainView } from "../../../../lib/management/domain-view.ts";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { mayChange, mayOwn } from "../../state/me.ts";
import { domainWords } from "../../words/domain-words.ts";
import { words } from "../../words/words.ts";
import { makePrimary, removeDomain } from "./deeds.ts";
import { wasVerified } from "./progress.ts";

/** What can be done with a domain, behind three dots. */
export function DomainMenu({
  projectId,
  domain,
  onVerify,
  onChanged,
  further = [],
}: {
  readonly projectId: string;
  readonly domain: DomainView;
  readonly onVerify: () => void;
  /** It does something else now, or is removed. */
  readonly onChanged: (domain: DomainView) => void;
  /** Stand before the rest. */
  readonly further?: readonly MenuItem[];
}): JSX.Element | null {
  const { view } = domainWords.words();
  const { common } = words();
  const change = async (deed: typeof makePrimary): Promise<void> => {
    const changed = await deed(projectId, domain);
    if (changed !== undefined) onChanged(changed);
  };
  const gone = domain.status === "removed";
  const items: readonly (MenuItem | false)[] = [
    ...further,
    !gone &&
      mayChange.value && {
        label: wasVerified(domain) ? view.reverify : view.verify,
        onClick: onVerify,
      },
    !gone &&
      mayChange.value &&
      domain.role === "redirect" && {
        label: view.makePrimary,
        onClick: () => void change(makePrimary),
      },
    !gone &&
      mayOwn.value && {
        label: view.remove,
        danger: true,
        onClick: () => void change(removeDomain),
      },
  ];
  const shown = items.filter((item) => item !== false);
  return shown.length === 0 ? null : <Menu label={common.more(domain.unicode)} items={shown} />;
}
