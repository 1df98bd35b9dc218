import { expect, test } from "bun:test";
import { SECOND_MS } from "../../../lib/base/clock.ts";
import { utf8 } from "../../../lib/base/digest.ts";
import { done } from "../../../lib/base/result.ts";
import { tarGz, type FileToPack } from "../../../lib/publishing/archive/write-tar.ts";
import type { Deploy, DeployProgress } from "../../../lib/publishing/model/deploy.ts";
import { forActors } from "../../../lib/model/actor.ts";
import type { Projects } from "../../../lib/publishing/projects.ts";
import type { Reply } from "../../helpers/api.ts";
import { readEvents, type Heard } from "../../helpers/event-reader.ts";
import {
  BASE,
  openOffice,
  principal,
  realProjects,
  type Office,
} from "../../helpers/management.ts";

async function archive(files: Readonly<Record<string, string>>): Promise<Uint8Array<ArrayBuffer>> {
  async function* pack(): AsyncGenerator<FileToPack> {
    for (const [path, text] of Object.entries(files)) {
      const content = utf8(text);
      yield { path, size: content.length, content };
    }
  }
  return new Uint8Array(await new Response(tarGz(pack())).arrayBuffer());
}

interface Site {
  readonly office: Office;
  /** The path of the project's deploys. */
  readonly deploys: string;
  readonly project: string;
}

async function openSite(
  options: Parameters<typeof openOffice>[0] = { projects: realProjects },
): Promise<Site> {
  const office = await openOffice(options);
  const path = `/manage/v1/accounts/${office.accountId}/projects`;
  const made = await office.as("staff").post<{ id: string }>(path, { name: "Otters" });
  expect(made.status).toBe(201);
  const project = `/manage/v1/projects/${made.body.id}`;
  return { office, project, deploys: `${project}/deploys` };
}

const GZIP = { "content-type": "application/gzip" };

async function upload(
  { office, deploys }: Site,
  files: Readonly<Record<string, string>>,
  { query = "", headers = {} }: { query?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<Reply<Deploy>> {
  const body = await archive(files);
  return office
    .as("staff")
    .raw("POST", deploys + query, { body, headers: { ...GZIP, ...headers } });
}

const INDEX = { "index.html": "<h1>Otters</h1>" };

test("an uploaded archive is live when the response arrives, which describes it", async () => {
  const site = await openSite();
  const made = await upload(
    site,
    { ...INDEX, "about.html": "<p>Us</p>" },
    { query: "?message=First" },
  );
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    state: "live",
    source: "archive",
    files: 2,
    message: "First",
    author: "a staff",
  });
  const path = `${site.deploys}/${made.body.id}`;
  expect(made.headers.get("location")).toBe(BASE + path);
  const { as } = site.office;
  expect((await as("viewer").get(path)).body).toEqual(made.body);
  expect((await as("viewer").get(site.project)).body).toMatchObject({ liveDeploy: made.body });
  const { body } = await as("viewer").get<readonly object[]>(`${path}/files`);
  expect(body).toMatchObject([{ path: "/about.html" }, { path: "/index.html", size: 15 }]);
});

test("an archive can stay ready and go live later", async () => {
  const site = await openSite();
  const { as } = site.office;
  const first = await upload(site, INDEX);
  const second = await upload(site, INDEX, { query: "?activate=false" });
  expect(second.body.state).toBe("ready");
  const live = await as("staff").post(`${site.deploys}/${second.body.id}/activate`);
  expect([live.status, live.body]).toMatchObject([200, { id: second.body.id, state: "live" }]);
  const back = await as("staff").post(`${site.project}/rollback`);
  expect([back.status, back.body]).toMatchObject([200, { id: first.body.id, state: "live" }]);
  const to = await as("staff").post(`${site.project}/rollback`, { to: second.body.id });
  expect(to.body).toMatchObject({ id: second.body.id, state: "live" });
});

test("the starter needs no archive", async () => {
  const { office, deploys } = await openSite();
  const body = { source: "starter", message: "Hello" };
  const made = await office.as("staff").post(deploys, body);
  expect([made.status, made.body]).toMatchObject([
    201,
    { source: "starter", state: "live", message: "Hello" },
  ]);
});

test("a deploy can be pinned, and deleted unless it is live", async () => {
  const site = await openSite();
  const { as } = site.office;
  const first = await upload(site, INDEX);
  await upload(site, INDEX);
  const path = `${site.deploys}/${first.body.id}`;
  const pinned = await as("staff").patch(path, { pinned: true });
  expect([pinned.status, pinned.body]).toMatchObject([200, { pinned: true }]);
  const listed = await as("viewer").get<readonly Deploy[]>(site.deploys);
  const live = listed.body[0]?.id;
  const refusal = await as("staff").delete(`${site.deploys}/${live}`);
  expect([refusal.status, refusal.body]).toMatchObject([409, { code: "deploy_is_live" }]);
  expect((await as("staff").delete(path)).status).toBe(204);
  expect((await as("viewer").get(path)).status).toBe(404);
});

test("a rollback without an earlier deploy is not found", async () => {
  const { office, project } = await openSite();
  const reply = await office.as("staff").post(`${project}/rollback`, {});
  expect([reply.status, reply.body]).toMatchObject([404, { code: "not_found" }]);
});

test("a hostile archive is refused with the entry's name, and leaves a failed deploy", async () => {
  const site = await openSite();
  const refusal = await upload(site, { "../../etc/passwd": "x" });
  expect([refusal.status, refusal.body]).toMatchObject([400, { code: "invalid_archive" }]);
  expect(refusal.text).toContain("../../etc/passwd");
  const { body } = await site.office.as("viewer").get<readonly Deploy[]>(site.deploys);
  expect(body).toMatchObject([{ state: "failed", failure: { code: "invalid_archive" } }]);
  const files = await site.office.as("viewer").get(`${site.deploys}/${body[0]?.id}/files`);
  expect([files.status, files.body]).toMatchObject([409, { code: "deploy_not_ready" }]);
});

test("an empty body is not an archive", async () => {
  const { office, deploys } = await openSite();
  const reply = await office.as("staff").raw("POST", deploys, { headers: GZIP });
  expect([reply.status, reply.body]).toMatchObject([400, { code: "invalid_archive" }]);
});

const wrong: readonly (readonly [
  what: string,
  Readonly<Record<string, string>>,
  number,
  string,
])[] = [
  ["a zip", { "content-type": "application/zip" }, 415, "application/gzip"],
  ["a form", { "content-type": "multipart/form-data; boundary=x" }, 415, "application/gzip"],
  ["a body of no type", {}, 415, "application/gzip"],
  [
    "an archive that is encoded once more",
    { ...GZIP, "content-encoding": "br" },
    415,
    "Content-Encoding",
  ],
  [
    "an archive that is too long",
    { ...GZIP, "content-length": String(251 * 1024 * 1024) },
    413,
    "250 MiB",
  ],
];
for (const [what, headers, status, says] of wrong) {
  test(`${what} is refused with a message before it is read`, async () => {
    const { office, deploys } = await openSite();
    let read = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          read++;
          controller.enqueue(new Uint8Array(1024));
        },
      },
      { highWaterMark: 0 },
    );
    const reply = await office.as("staff").raw("POST", deploys, { body, headers });
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(says);
    expect(read).toBe(0);
    expect((await office.as("viewer").get(deploys)).body).toEqual([]);
  });
}

for (const query of ["?message=", `?message=${"x".repeat(201)}`, "?message=%07", "?activate=no"]) {
  test(`${query.slice(0, 20)} is refused`, async () => {
    const site = await openSite();
    expect((await upload(site, INDEX, { query })).status).toBe(400);
  });
}

test("an interrupted upload leaves a failed deploy and gets a refusal", async () => {
  const { office, deploys } = await openSite();
  const whole = await archive({ "index.html": "x".repeat(100_000) });
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(whole.slice(0, 60)),
    pull: (controller) => controller.error(new Error("the line is dead")),
  });
  const reply = await office.as("staff").raw("POST", deploys, { body, headers: GZIP });
  expect([reply.status, reply.body]).toMatchObject([503, { code: "unavailable" }]);
  const { body: listed } = await office.as("viewer").get<readonly Deploy[]>(deploys);
  expect(listed).toMatchObject([{ state: "failed" }]);
});

test("viewers cannot publish", async () => {
  const { office, deploys } = await openSite();
  const reply = await office.as("viewer").post(deploys, { source: "starter" });
  expect(reply.status).toBe(403);
});

/** Publishes with events and returns all of them. */
async function publishHearing({ office, deploys }: Site, body: Uint8Array<ArrayBuffer>) {
  const headers = { ...GZIP, accept: "text/event-stream" };
  const request = new Request(BASE + deploys, { method: "POST", body, headers });
  const response = await office.ask(request, principal("staff", office.accountId));
  const reader = readEvents(response, office.clock);
  const heard: Heard[] = [];
  for (let next = await reader.next(); next !== undefined; next = await reader.next()) {
    heard.push(next);
  }
  return { response, heard };
}

test("with events, a deploy's progress is streamed, then the deploy", async () => {
  const site = await openSite();
  const { response, heard } = await publishHearing(site, await archive(INDEX));
  expect(response.status).toBe(201);
  expect(heard[0]).toMatchObject({ comment: "open" });
  const last = heard.at(-1);
  expect(last).toMatchObject({ event: "done", data: { state: "live", files: 1 } });
  expect(heard.filter(({ event }) => event === "done")).toHaveLength(1);
  expect(response.headers.get("location")).toEndWith(String(Object(last?.data).id));
});

test("with events, a refusal is the last event", async () => {
  const site = await openSite();
  const { heard } = await publishHearing(site, await archive({ "../up": "x" }));
  expect(heard.at(-1)).toMatchObject({
    event: "problem",
    data: { code: "invalid_archive", status: 400 },
  });
});

test("with events, an early refusal is an ordinary response", async () => {
  const site = await openSite();
  await site.office.as("owner").delete(site.project);
  // More often than a token may have streams: refusals occupy none.
  for (let count = 0; count < 21; count++) {
    const { response } = await publishHearing(site, await archive(INDEX)).catch(() => {
      throw new Error("It should have been answered.");
    });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toStartWith("application/json");
  }
});

/** Returns a deploy whose progress the test controls. */
function slowDeploys(real: Projects) {
  const deploy: Deploy = {
    id: "aslowdeploy",
    projectId: "",
    state: "uploading",
    source: "archive",
    author: "a staff",
    files: 0,
    bytes: 0,
    pinned: false,
    createdAt: 0,
    touchedAt: 0,
  };
  let state: Deploy = deploy;
  let broken: Error | undefined;
  const listeners = new Set<(progress: DeployProgress) => void>();
  const finished = Promise.withResolvers<Deploy>();
  // In some tests no process in this service is working on it.
  finished.promise.catch(() => undefined);
  const projects: Projects = {
    ...real,
    deploys: {
      ...real.deploys,
      create: async (projectId, { onBegin }) => {
        onBegin?.({ ...deploy, projectId });
        return done(await finished.promise);
      },
      byId: async (projectId, id) => {
        if (broken !== undefined) throw broken;
        return id === deploy.id ? { ...state, projectId } : undefined;
      },
      watch: (_id, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
  return {
    projects,
    listeners,
    tell: (files: number) => {
      for (const listener of listeners) {
        listener({ deployId: deploy.id, state: "uploading", files, bytes: files * 10 });
      }
    },
    break: (error: Error) => {
      broken = error;
      finished.reject(error);
    },
    finish: (tell: boolean) => {
      state = { ...deploy, state: "live", files: 9 };
      if (tell) {
        for (const listener of listeners) {
          listener({ deployId: deploy.id, state: "live", files: 9, bytes: 90 });
        }
      }
      finished.resolve(state);
    },
  };
}

type Sent = Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> };

async function openSlow() {
  let slow: ReturnType<typeof slowDeploys> | undefined;
  const site = await openSite({
    projects: async (office) => {
      slow = slowDeploys(await realProjects(office));
      const { projects } = slow;
      return forActors(() => projects);
    },
  });
  if (slow === undefined) throw new Error("The projects were not opened.");
  const { office } = site;
  const ask = (path: string, { headers = {}, ...init }: Sent = {}): Promise<Response> =>
    office.ask(
      new Request(BASE + path, {
        ...init,
        headers: { accept: "text/event-stream", ...headers },
      }),
      principal("staff", office.accountId),
    );
  return { ...site, slow, ask };
}

test("a slow reader gets the latest of many events", async () => {
  const { slow, ask, deploys, office } = await openSlow();
  const body = JSON.stringify({ source: "starter" });
  const reader = readEvents(
    await ask(deploys, { method: "POST", body, headers: { "content-type": "application/json" } }),
    office.clock,
  );
  expect(await reader.next()).toMatchObject({ comment: "open" });
  expect(await reader.silent()).toBe(true);
  for (let files = 1; files <= 1_000; files++) slow.tell(files);
  office.clock.advance(100);
  expect(await reader.next()).toMatchObject({ event: "progress", data: { files: 1_000 } });
  slow.finish(true);
  const rest: (string | undefined)[] = [];
  for (let next = await reader.next(); next !== undefined; next = await reader.next()) {
    rest.push(next.event);
  }
  expect(rest).toEqual(["progress", "done"]);
  expect(slow.listeners.size).toBe(0);
});

test("a failure during the stream is reported without details", async () => {
  const { slow, ask, deploys, office } = await openSlow();
  const body = JSON.stringify({ source: "starter" });
  const reader = readEvents(
    await ask(deploys, { method: "POST", body, headers: { "content-type": "application/json" } }),
    office.clock,
  );
  await reader.next();
  expect(await reader.silent()).toBe(true);
  slow.break(new Error("/secret/path"));
  const heard = await reader.next();
  expect(heard).toMatchObject({ event: "problem", data: { code: "internal_error", status: 500 } });
  expect(JSON.stringify(heard)).not.toContain("secret");
  expect(await reader.next()).toBeUndefined();
  expect(slow.listeners.size).toBe(0);
});

test("a second reader reconnects if the deploy cannot be read", async () => {
  const { slow, ask, deploys, office } = await openSlow();
  const reader = readEvents(await ask(`${deploys}/aslowdeploy`), office.clock);
  await reader.next();
  await reader.next();
  expect(await reader.silent()).toBe(true);
  slow.break(new Error("/secret/path"));
  office.clock.advance(SECOND_MS);
  expect(await reader.next()).toBeUndefined();
  expect(slow.listeners.size).toBe(0);
});

test("a second reader receives the progress and the result of a deploy", async () => {
  const { slow, ask, deploys, office } = await openSlow();
  const reader = readEvents(await ask(`${deploys}/aslowdeploy`), office.clock);
  expect(await reader.next()).toMatchObject({ comment: "open" });
  expect(await reader.next()).toMatchObject({ event: "progress", data: { state: "uploading" } });
  expect(await reader.silent()).toBe(true);
  slow.tell(3);
  office.clock.advance(100);
  expect(await reader.next()).toMatchObject({ event: "progress", data: { files: 3 } });
  slow.finish(true);
  expect(await reader.next()).toMatchObject({ event: "progress", data: { state: "live" } });
  expect(await reader.next()).toMatchObject({ event: "done", data: { state: "live", files: 9 } });
  expect(await reader.next()).toBeUndefined();
  expect(slow.listeners.size).toBe(0);
});

test("the progress of another process's deploy arrives within a second", async () => {
  const { slow, ask, deploys, office } = await openSlow();
  const reader = readEvents(await ask(`${deploys}/aslowdeploy`), office.clock);
  await reader.next();
  await reader.next();
  expect(await reader.silent()).toBe(true);
  slow.finish(false);
  office.clock.advance(SECOND_MS);
  expect(await reader.next()).toMatchObject({ event: "done", data: { state: "live" } });
});

test("a reader that disconnects is forgotten, and the deploy continues", async () => {
  const { slow, ask, deploys, office } = await openSlow();
  const reader = readEvents(await ask(`${deploys}/aslowdeploy`), office.clock);
  await reader.next();
  expect(slow.listeners.size).toBe(1);
  await reader.leave();
  expect(slow.listeners.size).toBe(0);
  for (let count = 0; count < 21; count++) {
    const again = readEvents(await ask(`${deploys}/aslowdeploy`), office.clock);
    expect(await again.next()).toMatchObject({ comment: "open" });
    await again.leave();
  }
  expect((await office.as("viewer").get(`${deploys}/aslowdeploy`)).body).toMatchObject({
    state: "uploading",
  });
});

test("a reader's permission is checked again during a busy deploy", async () => {
  const { slow, deploys, office } = await openSlow();
  const { token, id } = await office.issue("viewer");
  const headers = { accept: "text/event-stream", authorization: `Bearer ${token}` };
  const request = new Request(`${BASE}${deploys}/aslowdeploy`, { headers });
  const reader = readEvents(await office.ask(request), office.clock);
  await reader.next();
  await reader.next();
  await office.as("operator").delete(`/manage/v1/accounts/${office.accountId}/tokens/${id}`);
  let over = false;
  for (let second = 0; second < 17 && !over; second++) {
    slow.tell(second);
    await reader.silent();
    office.clock.advance(SECOND_MS);
    over = (await reader.next()) === undefined;
  }
  expect(over).toBe(true);
  expect(slow.listeners.size).toBe(0);
});

test("a finished deploy is sent immediately", async () => {
  const site = await openSite();
  const made = await upload(site, INDEX);
  const request = new Request(`${BASE}${site.deploys}/${made.body.id}`, {
    headers: { accept: "text/event-stream" },
  });
  const reader = readEvents(
    await site.office.ask(request, principal("viewer", site.office.accountId)),
    site.office.clock,
  );
  await reader.next();
  const heard = [await reader.next(), await reader.next()];
  expect(heard).toMatchObject([{ event: "progress" }, { event: "done", data: made.body }]);
  expect(await reader.next()).toBeUndefined();
});

test("a failed deploy is sent with its problem", async () => {
  const site = await openSite();
  await upload(site, { "../up": "x" });
  const { body } = await site.office.as("viewer").get<readonly Deploy[]>(site.deploys);
  const request = new Request(`${BASE}${site.deploys}/${body[0]?.id}`, {
    headers: { accept: "text/event-stream" },
  });
  const reader = readEvents(
    await site.office.ask(request, principal("viewer", site.office.accountId)),
    site.office.clock,
  );
  await reader.next();
  await reader.next();
  expect(await reader.next()).toMatchObject({
    event: "problem",
    data: { code: "invalid_archive" },
  });
});
