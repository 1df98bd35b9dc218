import { expect, test } from "bun:test";

import { torture } from "../helpers/chance.ts";
import { startProgram } from "../helpers/process.ts";
import { activate, openProject, send } from "./publishing/published-project.ts";
import { read, type Seen } from "./publishing/readers.ts";
import { archiveOf, versionedSite } from "./publishing/versions.ts";

const READERS = 200;
// More would exhaust the client ports.
const SWAPS = torture ? 250 : 50;

test(`${READERS} readers over ${SWAPS} activations never see a mix`, async () => {
  await using program = await startProgram();
  const project = await openProject(program);
  const deploys = [
    await send(project, await archiveOf(versionedSite(1))),
    await send(project, await archiveOf(versionedSite(2))),
    await send(project, await archiveOf(versionedSite(3))),
  ];
  const over = { yet: false };
  const seen: Seen = { pages: 0, versions: new Set() };
  const readers = Promise.all(
    Array.from({ length: READERS }, () => read(project.site, over, seen)),
  ).finally(() => {
    over.yet = true;
  });

  for (let swap = 0; swap < SWAPS && !over.yet; swap++) {
    const next = deploys[swap % deploys.length];
    if (next !== undefined) await activate(project, next);
  }
  over.yet = true;
  await readers;

  expect(seen.versions).toEqual(new Set([1, 2, 3]));
  // More than fit between the swaps.
  expect(seen.pages).toBeGreaterThan(SWAPS * 10);
}, 600_000);
