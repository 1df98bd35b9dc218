import { done, refused } from "../base/result.ts";
import type { Deploy, DeployProgress } from "../publishing/model/deploy.ts";
import type { ManagementClient } from "./client.ts";
import { at, problemOf, readAnswer, UnexpectedAnswer, type Caller } from "./http-client-call.ts";
import { serverSentEvents } from "./http-client-events.ts";
import { fromWire } from "./wire.ts";

const EVENTS = "text/event-stream";

/** Deploys over HTTP: a site goes up as a stream, and what becomes of it comes back as events. */
export function deploysOver(call: Caller): ManagementClient["deploys"] {
  const { ask, all, open } = call;
  return {
    create: async (project, { archive, message, activate, onProgress }) => {
      const path = at`/projects/${project}/deploys`;
      const starter = archive === "starter";
      const response = await open(
        {
          method: "POST",
          path,
          query: starter ? {} : { message, activate: activate === false ? false : undefined },
        },
        starter
          ? {
              headers: { accept: EVENTS, "content-type": "application/json" },
              body: JSON.stringify({ source: "starter", message, activate }),
            }
          : {
              headers: { accept: EVENTS, "content-type": "application/gzip" },
              body: archive,
              // A stream is sent before it is known how long it is (Fetch §5.4); older types lack the member.
              ...{ duplex: "half" },
            },
      );
      if (response.body === null || !isEvents(response)) return readAnswer<Deploy>(response);
      for await (const { event, data } of serverSentEvents(response.body)) {
        const value = fromWire(JSON.parse(data));
        // The three kinds of events that the operation has, of the service's own types.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        if (event === "progress") onProgress?.(value as DeployProgress);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        if (event === "done") return done(value as Deploy);
        const refusal = event === "problem" ? problemOf(value) : undefined;
        if (refusal !== undefined) return refused(refusal);
      }
      throw new UnexpectedAnswer(response.status);
    },
    list: (project) => all({ method: "GET", path: at`/projects/${project}/deploys` }),
    byId: (project, id) => ask({ method: "GET", path: at`/projects/${project}/deploys/${id}` }),
    siteFile: (project, id) =>
      ask({ method: "GET", path: at`/projects/${project}/deploys/${id}/site-file` }),
    activate: (project, id) =>
      ask({ method: "POST", path: at`/projects/${project}/deploys/${id}/activate` }),
    rollback: (project, to) =>
      ask({
        method: "POST",
        path: at`/projects/${project}/rollback`,
        body: to === undefined ? {} : { to },
      }),
    pin: (project, id, pinned) =>
      ask({ method: "PATCH", path: at`/projects/${project}/deploys/${id}`, body: { pinned } }),
    delete: (project, id) =>
      ask({ method: "DELETE", path: at`/projects/${project}/deploys/${id}` }),
  };
}

function isEvents({ headers, ok }: Response): boolean {
  return ok && (headers.get("content-type") ?? "").startsWith(EVENTS);
}
