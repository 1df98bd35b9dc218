import type { JSX } from "preact";

import type { Deploy } from "../../../../../lib/publishing/model/deploy.ts";
import { at, get } from "../../../api.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Icon, type IconName } from "../../../components/icon.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { useResource } from "../../../state/resource.ts";
import { bytes, number } from "../../../words/format.ts";
import { deploysWords } from "../../../words/deploys-words.ts";
import { words } from "../../../words/words.ts";
import { nameOfDeploy } from "./deploy-name.ts";

interface ChangedFile {
  readonly path: string;
  readonly bytes: number;
}

/** What of the files is different, as the service tells it. */
interface Changes {
  readonly added: readonly ChangedFile[];
  readonly changed: readonly ChangedFile[];
  readonly removed: readonly ChangedFile[];
  /** Not all of it is told. */
  readonly more: boolean;
}

/** What would change for visitors if a deploy were live instead of the one that is. */
export function DeployChanges({
  projectId,
  deploy,
  onClose,
}: {
  readonly projectId: string;
  readonly deploy: Deploy;
  readonly onClose: () => void;
}): JSX.Element {
  const { common } = words();
  const deploys = deploysWords.words();
  const changes = useResource(deploy.id, () =>
    get<Changes>(at`/projects/${projectId}/deploys/${deploy.id}/diff`),
  );
  return (
    <Dialog title={deploys.compared} wide onClose={onClose}>
      <p class="soft">{deploys.comparedText(nameOfDeploy(deploy))}</p>
      <Loaded resource={changes} lines={5}>
        {({ added, changed, removed, more }) => (
          <div class="stack">
            {added.length + changed.length + removed.length === 0 && <p>{deploys.same}</p>}
            <Group icon="plus" tone="good" title={deploys.added} files={added} />
            <Group icon="edit" tone="warn" title={deploys.changed} files={changed} />
            <Group icon="minus" tone="bad" title={deploys.removed} files={removed} />
            {more && <p class="soft small">{deploys.moreChanges}</p>}
          </div>
        )}
      </Loaded>
      <div class="actions">
        <Button onClick={onClose}>{common.close}</Button>
      </div>
    </Dialog>
  );
}

function Group({
  icon,
  tone,
  title,
  files,
}: {
  readonly icon: IconName;
  readonly tone: "good" | "warn" | "bad";
  readonly title: string;
  readonly files: readonly ChangedFile[];
}): JSX.Element | null {
  if (files.length === 0) return null;
  return (
    <section class={`changes ${tone}`}>
      <h3>
        <Icon name={icon} /> {title} <span class="soft">{number(files.length)}</span>
      </h3>
      <ul class="file-list">
        {files.map((file) => (
          <li key={file.path}>
            <span class="mono">{file.path}</span>
            <span class="soft small">{bytes(file.bytes)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
