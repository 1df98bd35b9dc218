import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { Deploy, ManifestFile } from "../../../../lib/publishing/model/deploy.ts";
import { at, get } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextField, bound } from "../../components/field.tsx";
import { Icon, type IconName } from "../../components/icon.tsx";
import { Loaded } from "../../components/feedback.tsx";
import { useResource } from "../../state/resource.ts";
import { deploysWords } from "../../words/late.tsx";
import { bytes, number } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { nameOfDeploy } from "./project-page.tsx";

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

type FileOfDeploy = Pick<ManifestFile, "path" | "size">;

/** So many are drawn at once; the rest is found by name. */
const MAX_SHOWN = 200;
/** Fewer are seen at a glance. */
const WORTH_SEARCHING = 12;

/** The files that a deploy is made of. */
export function DeployFiles({
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
  const files = useResource(deploy.id, () =>
    get<readonly FileOfDeploy[]>(at`/projects/${projectId}/deploys/${deploy.id}/files`),
  );
  return (
    <Dialog title={deploys.filesOf(nameOfDeploy(deploy))} wide onClose={onClose}>
      <Loaded resource={files} lines={6}>
        {(all) => (all.length === 0 ? <p>{deploys.empty}</p> : <Searched files={all} />)}
      </Loaded>
      <div class="actions">
        <Button onClick={onClose}>{common.close}</Button>
      </div>
    </Dialog>
  );
}

function Searched({ files }: { readonly files: readonly FileOfDeploy[] }): JSX.Element {
  const deploys = deploysWords.words();
  const sought = useSignal("");
  const needle = sought.value.trim().toLowerCase();
  const found = files.filter(({ path }) => path.toLowerCase().includes(needle));
  const more = found.length - MAX_SHOWN;
  return (
    <div class="stack">
      {files.length > WORTH_SEARCHING && (
        <TextField
          label={deploys.filter}
          type="search"

          {...bound(sought)}
        />
      )}
      {found.length === 0 && <p>{deploys.noneFound}</p>}
      <ul class="file-list">
        {found.slice(0, MAX_SHOWN).map(({ path, size }) => (
          <li key={path}>
            <span class="mono">{path}</span>
            <span class="soft small">{bytes(size)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="soft small">{deploys.andMore(more)}</p>}
    </div>
  );
}
