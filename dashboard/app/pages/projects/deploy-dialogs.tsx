import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { Deploy, ManifestFile } from "../../../../lib/publishing/model/deploy.ts";
import { call } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Loaded } from "../../components/feedback.tsx";
import { bound, TextField } from "../../components/field.tsx";
import { Icon, type IconName } from "../../components/icon.tsx";
import { useResource } from "../../state/resource.ts";
import { bytes, number } from "../../words/format.ts";
import { deploysWords } from "./deploys-words.ts";
import { words } from "../../words/words.ts";
import { nameOfDeploy } from "./project-page.tsx";

interface ChangedFile {
  readonly path: string;
  readonly bytes: number;
}

interface DeployDialogProps {
  readonly projectId: string;
  readonly deploy: Deploy;
  readonly onClose: () => void;
}

/** Compares a deploy with the live one. */
export function DeployChanges({ projectId, deploy, onClose }: DeployDialogProps): JSX.Element {
  const { common } = words();
  const deploys = deploysWords.words();
  const changes = useResource(deploy.id, () =>
    call("GET /projects/:project/deploys/:deploy/diff", { project: projectId, deploy: deploy.id }),
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
      <FileList files={files} />
    </section>
  );
}

function FileList({ files }: { readonly files: readonly ChangedFile[] }): JSX.Element {
  return (
    <ul class="file-list">
      {files.map((file) => (
        <li key={file.path}>
          <span class="mono">{file.path}</span>
          <span class="soft small">{bytes(file.bytes)}</span>
        </li>
      ))}
    </ul>
  );
}

type FileOfDeploy = Pick<ManifestFile, "path" | "size">;

/** The most files shown at once; the search finds the others. */
const MAX_SHOWN = 200;
/** Shorter lists need no search. */
const WORTH_SEARCHING = 12;

/** Lists the files of a deploy. */
export function DeployFiles({ projectId, deploy, onClose }: DeployDialogProps): JSX.Element {
  const { common } = words();
  const deploys = deploysWords.words();
  const files = useResource(deploy.id, () =>
    call("GET /projects/:project/deploys/:deploy/files", { project: projectId, deploy: deploy.id }),
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
        <TextField label={deploys.filter} type="search" {...bound(sought)} />
      )}
      {found.length === 0 && <p>{deploys.noneFound}</p>}
      <FileList
        files={found.slice(0, MAX_SHOWN).map(({ path, size }) => ({ path, bytes: size }))}
      />
      {more > 0 && <p class="soft small">{deploys.andMore(more)}</p>}
    </div>
  );
}
