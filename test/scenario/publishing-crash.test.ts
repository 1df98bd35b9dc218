import { expect, test } from "bun:test";

import { rm } from "node:fs/promises";

import { chance, torture } from "../helpers/chance.ts";
import { startProgram, temporaryDirectory } from "../helpers/process.ts";
import {
  activate,
  movedProject,
  openProject,
  send,
  type PublishedProject,
  type SentDeploy,
} from "./publishing/published-project.ts";
import { archiveOf, scriptOf, versionedSite, versionOf } from "./publishing/versions.ts";

const ROUNDS = torture ? 100 : 12;
const LIMIT_MS = 600_000;

test("a deploy that was ready before a crash can be activated afterwards", async () => {
  const dataDir = await temporaryDirectory();
  let program = await startProgram({ dataDir });
  try {
    const project = await openProject(program);
    await send(project, await archiveOf(versionedSite(1)));
    const waiting = await send(project, await archiveOf(versionedSite(2)), { activate: false });
    expect(waiting.state).toBe("ready");
    await program.end("SIGKILL");

    program = await startProgram({ dataDir });
    const after = movedProject(project, program.origin);
    expect(await servedVersion(after)).toBe(1);
    await activate(after, waiting);
    expect(await servedVersion(after)).toBe(2);
  } finally {
    await program.end("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  }
});

test(
  `${ROUNDS} times kill -9 during a deploy leave one complete version live, and the next deploy works`,
  async () => {
    const dice = chance();
    const dataDir = await temporaryDirectory();
    let program = await startProgram({ dataDir });
    try {
      let project = await openProject(program);
      let acknowledged = 1;
      await send(project, await archiveOf(versionedSite(1)));
      let cutOff = 0;
      for (let round = 1; round <= ROUNDS; round++) {
        const version = round * 10;
        const archive = await archiveOf(versionedSite(version));
        const sending = send(project, archive).then(
          () => true,
          () => false,
        );
        await Bun.sleep(dice.between(0, 20));
        await program.end("SIGKILL");
        const answered = await sending;
        if (!answered) cutOff++;

        program = await startProgram({ dataDir });
        project = movedProject(project, program.origin);
        const served = await servedVersion(project);
        // An unanswered request may have taken effect or not; an answered one has.
        expect(answered ? [version] : [acknowledged, version]).toContain(served);
        expect(await liveDeploys(project)).toHaveLength(1);
        acknowledged = version + 1;
        await send(project, await archiveOf(versionedSite(acknowledged)));
        expect(await servedVersion(project)).toBe(acknowledged);
      }
      // Their number depends on the machine; none would prove nothing.
      expect(cutOff).toBeGreaterThan(0);
    } finally {
      await program.end("SIGKILL");
      await rm(dataDir, { recursive: true, force: true });
    }
  },
  LIMIT_MS,
);

/** Returns the version that all files of the site belong to. */
async function servedVersion({ site }: PublishedProject): Promise<number> {
  const version = versionOf(await text(`${site}/`));
  for (const path of [scriptOf(version), "/data.txt"]) {
    expect(versionOf(await text(`${site}${path}`))).toBe(version);
  }
  return version;
}

async function text(address: string): Promise<string> {
  const response = await fetch(address);
  expect(response.status).toBe(200);
  return response.text();
}

async function liveDeploys({ manage, slug }: PublishedProject): Promise<readonly SentDeploy[]> {
  const { body } = await manage.get<readonly SentDeploy[]>(`/manage/v1/projects/${slug}/deploys`);
  return body.filter(({ state }) => state === "live");
}
