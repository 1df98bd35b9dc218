import { MINUTE_MS } from "../../lib/base/clock.ts";
import { PictureUndecodable, type Clock, type Images } from "../../lib/index.ts";
import { bunImages } from "../../adapters/images/bun.ts";
import { serveOthersFirst, yieldToOthers } from "../process/priority.ts";
import { thisProgram } from "../process/this-program.ts";
import {
  answerFrame,
  answersIn,
  requestFrame,
  requestsIn,
  type FrameParts,
  type RenderAnswer,
} from "./frames.ts";

/** First argument of the process that decodes pictures for a server. Not a command: it takes them from stdin. */
export const PICTURES_PROCESS = "--pictures-process";

/** How long the process waits for the next picture. When it ends, its memory is free again. */
const IDLE_MS: number = MINUTE_MS;
/** How long a picture may take at the lowest priority. The largest ones take 3 seconds of a processor. */
const PICTURE_MS: number = 2 * MINUTE_MS;

/** How a decoder ends that a picture has broken. */
const BROKEN: ReadonlySet<unknown> = new Set([
  "SIGSEGV",
  "SIGBUS",
  "SIGILL",
  "SIGABRT",
  "SIGTRAP",
  "SIGFPE",
]);

/** A decoder of pictures in a process of its own. */
export interface PictureProcess {
  readonly images: Images;
  /** Ends the process. A picture that it decodes is rejected. */
  close(): Promise<void>;
}

/** Options of the decoder. */
export interface PictureProcessOptions {
  readonly clock: Clock;
  /** The command that starts the process. Default: this program, with the argument for it. */
  readonly command?: readonly string[];
}

/**
 * Decodes pictures in a process of its own, with the lowest priority: although `Bun.Image` works on other threads, it was seen
 * to delay the event loop by 2 to 5 milliseconds several times a picture. A picture that crashes the decoder, or takes longer
 * than two minutes, ends only that process. It starts with the first picture, and ends after a minute without.
 */
export function pictureProcess({
  clock,
  command = [...thisProgram(), PICTURES_PROCESS],
}: PictureProcessOptions): PictureProcess {
  let child: Child | undefined;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();
  let idle = new AbortController();

  const endWhenIdle = async (): Promise<void> => {
    idle = new AbortController();
    const { signal } = idle;
    await clock.sleep(IDLE_MS, signal).then(
      // A picture may have arrived just as the time was over.
      () => (signal.aborted ? undefined : child?.end()),
      () => undefined,
    );
  };

  const render: Images["render"] = async (picture, wanted) => {
    idle.abort();
    if (closed) throw new Error("The server stops.");
    if (child?.ended !== false) child = startChild(command);
    const used = child;
    const done = new AbortController();
    void clock.sleep(PICTURE_MS, done.signal).then(
      () => used.end("The picture took too long."),
      () => undefined,
    );
    try {
      const answer = await used.ask(requestFrame({ picture, wanted }));
      if (answer.kind === "rendered") return answer.renditions;
      if (answer.kind === "failed") throw new Error(answer.message);
      throw new PictureUndecodable("The picture cannot be decoded.");
    } finally {
      done.abort();
      void endWhenIdle();
    }
  };

  return {
    images: {
      render: (picture, wanted) => {
        const rendered = last.then(() => render(picture, wanted));
        last = rendered.catch(() => undefined);
        return rendered;
      },
    },
    close: async () => {
      closed = true;
      idle.abort();
      await child?.end();
      await last;
      idle.abort();
    },
  };
}

/** A process that answers one request after the other. */
interface Child {
  readonly ended: boolean;
  /** Rejects if the process ends before it answers. */
  ask(request: FrameParts): Promise<RenderAnswer>;
  /** Ends it. A request in progress is rejected with the reason. */
  end(reason?: string): Promise<void>;
}

function startChild(command: readonly string[]): Child {
  const spawned = Bun.spawn([...command], { stdio: ["pipe", "pipe", "inherit"] });
  // Before it starts threads, which inherit it.
  yieldToOthers(spawned.pid);
  const answers = answersIn(spawned.stdout);
  let because: string | undefined;
  let ended = false;
  void spawned.exited.then(() => {
    ended = true;
  });
  return {
    get ended() {
      return ended || because !== undefined;
    },
    ask: async (request) => {
      // The process may have ended: then there is no answer either.
      await send(spawned.stdin, request).catch(() => undefined);
      const next = await answers.next();
      if (next.done !== true) return next.value;
      await spawned.exited;
      if (because === undefined && BROKEN.has(spawned.signalCode)) return { kind: "undecodable" };
      const how = spawned.signalCode ?? `exit code ${spawned.exitCode}`;
      throw new Error(because ?? `The process that decodes pictures ended with ${how}.`);
    },
    end: async (reason = "The server stops.") => {
      because ??= reason;
      spawned.kill("SIGKILL");
      await spawned.exited;
    },
  };
}

/** Bytes that are written at once: that takes about 0.03 ms. */
const SLICE_BYTES: number = 64 * 1_024;

/** Writes slices of the parts in turns of their own. Waits while the process reads none. */
async function send(to: Bun.FileSink, parts: FrameParts): Promise<void> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += SLICE_BYTES) {
      await to.write(part.subarray(at, at + SLICE_BYTES));
      await to.flush();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/**
 * Decodes the pictures from stdin, and writes the renditions to stdout. Ends with the process that started it, and not before: a
 * terminal and systemd send the signals for the server to this process too, but a server that stops answers its last uploads.
 */
export async function picturesProcess(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  serveOthersFirst();
  for await (const { picture, wanted } of requestsIn(Bun.stdin.stream())) {
    const answer = await bunImages.render(picture, wanted).then(
      (renditions): RenderAnswer => ({ kind: "rendered", renditions }),
      (error: unknown): RenderAnswer =>
        error instanceof PictureUndecodable
          ? { kind: "undecodable" }
          : { kind: "failed", message: error instanceof Error ? error.message : String(error) },
    );
    await Bun.write(Bun.stdout, Buffer.concat(answerFrame(answer)));
  }
}
