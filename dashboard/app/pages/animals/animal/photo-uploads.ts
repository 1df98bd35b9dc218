import { type ReadonlySignal, signal } from "@preact/signals";

import { SECOND_MS } from "../../../../../lib/base/clock.ts";
import type { Result } from "../../../../../lib/base/result.ts";
import { MAX_PHOTOS } from "../../../../../lib/catalogue/model-profile.ts";
import type { PhotoShown } from "../../../../../lib/catalogue/profile-schema.ts";
import { MAX_PICTURE_BYTES } from "../../../../../lib/photos/limits.ts";
import { API, at, type Problem, unreachable } from "../../../api.ts";
import { sendBody } from "../../../send-body.ts";
import type { Where } from "../catalogue.tsx";

/** The types that the service decodes. Without HEIC in it, iOS converts the photos of its camera to JPEG. */
export const ACCEPT = "image/jpeg,image/png,image/webp";

/** Why a picture is not sent at all. */
type Unfit = "heic" | "no_picture" | "too_large" | "too_many";

/** A picture on its way. */
export interface UploadState {
  readonly id: number;
  readonly file: File;
  /** The share that is sent: 1 while the service makes the photo of it. */
  readonly sent: number;
  readonly fault?: Problem | Unfit;
}

/** Sends pictures, one after the other, and keeps those that failed. */
export interface Uploads {
  readonly state: ReadonlySignal<readonly UploadState[]>;
  /** `room` is how many more photos the animal can have. */
  readonly add: (files: readonly File[], room: number) => void;
  readonly retry: (id: number) => void;
  readonly dismiss: (id: number) => void;
  /** Cancels what is under way. */
  readonly stop: () => void;
}

let count = 0;

/** `onAdded` gets each photo that was made, and how many were made since the last time that none was on its way. */
export function createUploads(
  { account, environment }: Where,
  petId: number,
  onAdded: (photo: PhotoShown, made: number) => void,
): Uploads {
  const state = signal<readonly UploadState[]>([]);
  const control = new AbortController();
  const address = `${API}${at`/accounts/${account.id}/${environment}/pets/${String(petId)}/photos`}`;
  let working = false;

  const revise = (id: number, change: Partial<UploadState>): void => {
    state.value = state.peek().map((one) => (one.id === id ? { ...one, ...change } : one));
  };
  const remove = (id: number): void => {
    state.value = state.peek().filter((one) => one.id !== id);
  };
  const work = async (): Promise<void> => {
    if (working) return;
    working = true;
    let made = 0;
    for (;;) {
      const next = state.peek().find(({ fault }) => fault === undefined);
      if (next === undefined || control.signal.aborted) break;
      const { id, file } = next;
      const result = await sendPicture(address, file, control.signal, (sent) => {
        revise(id, { sent });
      });
      if (control.signal.aborted) break;
      if (result.ok) {
        remove(id);
        onAdded(result.value, ++made);
      } else revise(id, { fault: result.failure });
    }
    working = false;
  };
  return {
    state,
    add: (files, room) => {
      const taken = state.peek().filter(({ fault }) => fault === undefined).length;
      let left = Math.max(0, Math.min(room, MAX_PHOTOS) - taken);
      const added = files.map((file): UploadState => {
        const fault = unfitOf(file) ?? (left > 0 ? undefined : "too_many");
        if (fault === undefined) left--;
        return { id: ++count, file, sent: 0, ...(fault === undefined ? {} : { fault }) };
      });
      state.value = [...state.peek(), ...added];
      void work();
    },
    retry: (id) => {
      const again = state.peek().find((one) => one.id === id);
      if (again === undefined) return;
      const { fault: _fault, ...rest } = again;
      state.value = state.peek().map((one) => (one.id === id ? { ...rest, sent: 0 } : one));
      void work();
    },
    dismiss: remove,
    stop: () => control.abort(),
  };
}

/** Returns why a file cannot become a photo, as far as its name and size tell. */
export function unfitOf({ name, type, size }: File): Unfit | undefined {
  if (/\.hei[cf]$/i.test(name) || /^image\/hei[cf]/.test(type)) return "heic";
  if (!ACCEPT.split(",").includes(type)) return "no_picture";
  return size > MAX_PICTURE_BYTES ? "too_large" : undefined;
}

/** After so many attempts a busy service is reported. */
const ATTEMPTS = 5;
const DEFAULT_SECONDS = 2;

/** Sends a picture. While too many pictures wait, tries again after the time that the service names. */
export async function sendPicture(
  address: string,
  picture: Blob,
  stop: AbortSignal,
  onSent: (share: number) => void = () => undefined,
): Promise<Result<PhotoShown, Problem>> {
  for (let attempt = 1; ; attempt++) {
    const result = await sendBody<PhotoShown>({
      method: "POST",
      address,
      body: picture,
      type: picture.type,
      onSent: (sent, total) => onSent(sent / total),
      stop,
    });
    if (result.ok || stop.aborted || attempt >= ATTEMPTS) return result;
    const { code, retryAfterSeconds = DEFAULT_SECONDS } = result.failure;
    if (result.failure === unreachable || (code !== "unavailable" && code !== "rate_limited")) {
      return result;
    }
    await new Promise((resolve) => {
      window.setTimeout(resolve, retryAfterSeconds * SECOND_MS);
    });
  }
}
