import type { Deploy } from "./deploy.ts";
import type { Project } from "./project.ts";

type EventData = Readonly<Record<string, unknown>>;

/** What events tell of a project. */
export function projectEvent({ id, slug, name }: Project): EventData {
  return { projectId: id, slug, name };
}

/** What events tell of a deploy: with its message, and why it failed, if it did. */
export function deployEvent({ id, projectId, state, source, ...deploy }: Deploy): EventData {
  const { message, author, files, bytes, failure } = deploy;
  return {
    deployId: id,
    projectId,
    state,
    source,
    author,
    files,
    bytes,
    ...(message === undefined ? {} : { message }),
    ...(failure === undefined ? {} : { failure }),
  };
}
