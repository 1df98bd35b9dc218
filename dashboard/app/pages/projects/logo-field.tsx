import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import { done } from "../../../../lib/base/result.ts";
import type { Problem } from "../../../../lib/base/problem.ts";
import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import { call, type Result } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { SelectField } from "../../components/field.tsx";
import { useAttempt } from "../../components/form.tsx";
import { useResource } from "../../state/resource.ts";
import { siteWords } from "./site-words.ts";
import { redrawn } from "./redraw.ts";
import { partsOf, type Shared } from "./site-fields.tsx";
import { archiveFor } from "./upload/parcel.ts";
import { sendArchive } from "./upload/send-archive.ts";
import { bytesOf } from "./upload/site-files.ts";

/** The endings of images that a logo may have, by their media types. */
const ENDINGS: Readonly<Record<string, string>> = {
  "image/svg+xml": "svg",
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
};

/** Every page loads the logo. */
const MAX_BYTES = 1_000_000;
/** The largest file that is redrawn. */
const MAX_PICTURE_BYTES = 25_000_000;

/** Chooses an image of the live deploy, or adds one to it. */
export function LogoField({
  project: { id, liveDeployId },
  ...shared
}: Shared & { readonly project: ProjectView }): JSX.Element {
  const text = siteWords.words();
  const added = useSignal<readonly string[]>([]);
  const unfit = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const { busy, problem, run } = useAttempt();
  const files = useResource(liveDeployId ?? "", async () =>
    liveDeployId === undefined
      ? done([])
      : call("GET /projects/:project/deploys/:deploy/files", { project: id, deploy: liveDeployId }),
  );
  const deployed = (files.value ?? []).flatMap(({ path, type }) =>
    type.startsWith("image/") && !/^\/animals\//i.test(path) ? [path] : [],
  );
  const images = [...new Set([...deployed, ...added.value])];
  const parts = partsOf({ ...shared, name: "logo" });
  const { value, onInput } = parts;
  const missing = value !== "" && !images.includes(value) ? [value] : [];

  const add = async (file: File): Promise<void> => {
    const image = await fitImage(file);
    unfit.value = image === undefined;
    if (image === undefined) return;
    const name = `logo.${ENDINGS[image.type]}`;
    await run(
      () => addToLive(id, name, image),
      () => {
        added.value = [...added.value, `/${name}`];
        onInput(`/${name}`);
      },
    );
  };
  return (
    <div class="stack tight">
      <SelectField
        {...parts}
        hint={parts.hint ?? (images.length === 0 ? text.noImages : text.logoHint)}
        options={[
          { value: "", label: text.noLogo },
          ...missing.map((path) => ({ value: path, label: text.missingLogo(path) })),
          ...images.map((path) => ({ value: path, label: path })),
        ]}
      />
      {liveDeployId !== undefined && (
        <p>
          <Button small busy={busy} onClick={() => input.current?.click()}>
            {text.addLogo}
          </Button>
        </p>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={text.addLogo}
        accept={Object.keys(ENDINGS).join(",")}
        onChange={({ currentTarget }) => {
          const [file] = Array.from(currentTarget.files ?? []);
          currentTarget.value = "";
          if (file !== undefined) void add(file);
        }}
      />
      {unfit.value && (
        <p class="fault small" role="alert">
          {text.unfitLogo}
        </p>
      )}
      <Refusal problem={problem} />
    </div>
  );
}

/** Returns the image as the site gets it; undefined if it is of another type, damaged or too large. */
async function fitImage(file: File): Promise<Blob | undefined> {
  if (ENDINGS[file.type] === undefined || file.size > MAX_PICTURE_BYTES) return undefined;
  const image = file.type === "image/svg+xml" ? file : await redrawn(file);
  return image !== undefined && image.size <= MAX_BYTES ? image : undefined;
}

/** Adds one file to the live site, as a deploy of its own. */
async function addToLive(
  project: string,
  path: string,
  file: Blob,
): Promise<Result<unknown, Problem> | undefined> {
  const files = [{ path, size: file.size, open: () => bytesOf(file) }];
  const site = { files, bytes: file.size, leftOut: [], hasIndex: false };
  const { signal } = new AbortController();
  const parcel = { kind: "files", name: path, site } as const;
  const archive = await archiveFor(parcel, signal, () => undefined);
  const sent = await sendArchive({
    projectId: project,
    archive,
    message: siteWords.words().logo,
    onSent: () => undefined,
    onProgress: () => undefined,
    signal,
  });
  if (sent?.ok !== true) return sent;
  const { id: deploy } = sent.value;
  return call("POST /projects/:project/deploys/:deploy/activate", {
    project,
    deploy,
    query: { add: true },
  });
}
