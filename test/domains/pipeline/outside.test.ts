import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { publicSuffixes } from "../../helpers/public-suffixes.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import type { OutsideRequest } from "../../../domains/outside/outside-check.ts";
import { createVerifier } from "../../../domains/outside/verifier.ts";
import { viewOf } from "../../../domains/view/domain.ts";
import { readReport } from "../../../domains/view/report.ts";
import { MINUTE_MS } from "../../../lib/base/clock.ts";
import { START } from "../../helpers/domains/rows.ts";
import { drive, openWorld, type World } from "../../helpers/domains/world.ts";
import { redirecting, startOutside, us, type Outside } from "../../helpers/outside.ts";
import { factsOf, found, surveyOf, TOKEN, type Situation } from "../../helpers/survey.ts";

const ZONE = "cname.petstore.example";

/** A pipeline with the DNS of `situation`, checked from outside by real connections. */
function pipelineOf(world: World, situation: Situation, look: Outside["look"]) {
  const verifier = createVerifier({
    survey: async ({ hostname, target }) => {
      const lines = { cname: [target] };
      const survey = surveyOf({ hostname, all: lines, ...situation });
      return { ...survey, target };
    },
    suffixes: () => publicSuffixes,
    cnameTarget: ZONE,
    issuers: async () => factsOf().issuers,
    outside: look,
  });
  return world.pipeline({ verifier, outside: look });
}

async function shown(world: World, id: string) {
  const domain = await world.domain(id);
  const report = readReport(await world.domains.reports.of(id));
  const view = viewOf({
    domain,
    project: "cats-site",
    report,
    timeline: [],
    attached: [domain],
    suffixes: publicSuffixes,
    cnameTarget: ZONE,
    now: world.clock.now(),
    readBy: "owner",
  });
  return view.dns.findings.filter(({ severity }) => severity !== "ok");
}

/** The loopback address as the address of the target. */
const LOCAL: Situation = {
  change: (survey) => {
    const [resolver] = survey.resolvers;
    const { aliases } = resolver.a;
    return { ...survey, resolvers: [{ ...resolver, a: { ...found(["127.0.0.1"]), aliases } }] };
  },
};

const add = (world: World): Promise<Domain> =>
  world.add(1, { name: "pets.shelter.org", unicode: "pets.shelter.org", ownershipToken: TOKEN });

describe("a domain whose DNS points here", () => {
  test("has no finding when this service answers", async () => {
    const world = await openWorld();
    await using outside = await startOutside();
    const { id } = await add(world);
    await drive(world, pipelineOf(world, LOCAL, outside.look), START + MINUTE_MS);
    expect(outside.visits).toHaveLength(1);
    expect(await shown(world, id)).toEqual([]);
    await world.close();
  });

  test("has a finding when another server answers, and is live nevertheless", async () => {
    const world = await openWorld();
    await using outside = await startOutside(() => new Response("router", { status: 401 }));
    const { id } = await add(world);
    const pipeline = pipelineOf(world, LOCAL, outside.look);
    await drive(world, pipeline, START + MINUTE_MS);
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
    expect(await shown(world, id)).toMatchObject([
      {
        code: "http01_unreachable",
        severity: "warning",
        observed: expect.stringContaining("another server answers, with status 401"),
      },
    ]);
    await world.close();
  });

  test("has a finding for a redirect loop", async () => {
    const world = await openWorld();
    await using outside = await startOutside(({ target, secure }, ports) =>
      redirecting(
        secure
          ? `http://pets.shelter.org:${ports.plain}${target}`
          : `https://pets.shelter.org:${ports.secure}${target}`,
      ),
    );
    const { id } = await add(world);
    await drive(world, pipelineOf(world, LOCAL, outside.look), START + MINUTE_MS);
    expect(await shown(world, id)).toMatchObject([{ code: "redirect_loop_at_proxy" }]);
    await world.close();
  });

  test("loses the finding at the next check after the fix", async () => {
    const world = await openWorld();
    let mended = false;
    await using outside = await startOutside((visit) => (mended ? us(visit) : new Response("x")));
    const { id } = await add(world);
    const pipeline = pipelineOf(world, LOCAL, outside.look);
    await drive(world, pipeline, START + MINUTE_MS);
    expect(await shown(world, id)).toHaveLength(1);
    mended = true;
    await pipeline.verify(id, system, new AbortController().signal);
    // The previous result stays until the check.
    expect(await shown(world, id)).toHaveLength(1);
    await drive(world, pipeline, START + 2 * MINUTE_MS);
    expect(await shown(world, id)).toEqual([]);
    await world.close();
  });
});

test("the check from outside comes after order, certificate and first probe", async () => {
  const world = await openWorld();
  const checks: { readonly live: boolean; readonly addresses: readonly string[] }[] = [];
  const { id } = await add(world);
  const look = async ({ addresses }: OutsideRequest) => {
    checks.push({ live: (await world.domain(id)).liveSince !== undefined, addresses });
    return { kind: "timeout" } as const;
  };
  await drive(world, pipelineOf(world, LOCAL, look), START + MINUTE_MS);
  expect(checks).toEqual([{ live: true, addresses: expect.arrayContaining(["127.0.0.1"]) }]);
  await world.close();
});

test("a domain behind a proxy is verified and live once it is seen to point here", async () => {
  const world = await openWorld();
  let leads = false;
  const look = async () =>
    leads ? ({ kind: "us", circles: true } as const) : ({ kind: "other", status: 200 } as const);
  const { id } = await add(world);
  const behind: Situation = { all: { a: ["104.21.5.9"], txt: [TOKEN] } };
  const pipeline = pipelineOf(world, behind, look);
  await drive(world, pipeline, START + MINUTE_MS);
  expect((await shown(world, id)).map(({ code }) => code)).toEqual([
    "proxied",
    "http01_unreachable",
  ]);
  expect(statusOf(await world.domain(id), world.clock.now())).toBe("awaiting_dns");
  leads = true;
  await drive(world, pipeline, START + 2 * MINUTE_MS);
  expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
  expect(await shown(world, id)).toMatchObject(
    [
      { code: "redirect_loop_at_proxy", observed: expect.stringContaining("Cloudflare") },
      { code: "proxied", severity: "warning" },
    ].toReversed(),
  );
  await world.close();
});

test("a node without an outside check reports nothing", async () => {
  const world = await openWorld();
  await using outside = await startOutside();
  const { id } = await add(world);
  const pipeline = pipelineOf(world, LOCAL, outside.look);
  await pipeline.advance(id, new AbortController().signal);
  await drive(world, world.pipeline(), START + MINUTE_MS);
  expect((await world.domain(id)).outside).toMatchObject({ seen: { kind: "unlooked" } });
  expect(await shown(world, id)).toEqual([]);
  await world.close();
});
