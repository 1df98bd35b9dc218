import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { readRenewalInfo } from "../../../domains/acme/resources.ts";
import { startFaultStand, type FaultStand } from "../../helpers/fault-ca/stand.ts";
import { problemReply, withMembers, type Rule } from "../../helpers/fault-ca/rule.ts";
import { granted, noAbort } from "../../helpers/issuance.ts";
import { pebbleAuthority } from "../../helpers/pebble-authority.ts";
import { pebbleMissing } from "../../helpers/pebble.ts";

/** The example of RFC 9773 §4.1. */
const ID = "aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE";
const suggestedWindow = { start: "2026-12-01T00:00:00Z", end: "2026-12-03T00:00:00Z" };
const window = { start: Date.UTC(2026, 11, 1), end: Date.UTC(2026, 11, 3) };

describe("renewal information", () => {
  test("has a window and an explanation", () => {
    const explanationURL = "https://ca.test/docs/ari";
    expect(readRenewalInfo({ suggestedWindow, explanationURL })).toEqual({
      window,
      explanationUrl: explanationURL,
    });
  });

  test("has an https explanation only", () => {
    expect(readRenewalInfo({ suggestedWindow, explanationURL: "javascript:alert(1)" })).toEqual({
      window,
    });
  });

  test.each([
    {},
    { suggestedWindow: "soon" },
    { suggestedWindow: { start: suggestedWindow.start } },
    { suggestedWindow: { start: "yesterday", end: suggestedWindow.end } },
    { suggestedWindow: { start: suggestedWindow.end, end: suggestedWindow.start } },
    { suggestedWindow: { start: suggestedWindow.end, end: suggestedWindow.end } },
  ])("is undefined without a window that begins before it ends (%#)", (found) => {
    expect(readRenewalInfo(found)).toBeUndefined();
  });
});

describe.skipIf(pebbleMissing !== undefined)(`With Pebble (${pebbleMissing ?? "is here"})`, () => {
  let stand: FaultStand;
  beforeAll(async () => {
    stand = await startFaultStand();
  });
  afterAll(() => stand[Symbol.asyncDispose]());
  beforeEach(() => stand.ca.clear());

  /** A CA that returns this renewal information. */
  function answering(action: Rule["action"]) {
    const renewalInfo = new URL("/renewal", stand.ca.directoryUrl).href;
    stand.ca.break(
      { match: "directory", action: withMembers({ renewalInfo }) },
      { match: ({ path }) => path.startsWith("/renewal/"), action },
    );
    return pebbleAuthority(stand.ca);
  }

  test("of a CA without the endpoint is absent from the directory and not requested", async () => {
    const authority = pebbleAuthority(stand.ca);
    expect(granted(await authority.directory(noAbort)).renewalInfo).toBe(false);
    expect((await authority.renewalInfo(ID, noAbort)).ok).toBe(false);
    expect(stand.ca.requests.map(({ resource }) => resource)).toEqual(["directory"]);
  });

  test("is requested without a signature, by the id of RFC 9773", async () => {
    const body = JSON.stringify({ suggestedWindow });
    const authority = answering({
      do: "reply",
      reply: { headers: { "retry-after": "21600" }, body },
    });
    expect(granted(await authority.directory(noAbort)).renewalInfo).toBe(true);
    const info = granted(await authority.renewalInfo(ID, noAbort));
    expect(info.window).toEqual(window);
    expect(Math.abs((info.retryAt ?? 0) - Date.now() - 21_600_000)).toBeLessThan(60_000);
    const request = stand.ca.requests.at(-1);
    expect([request?.method, request?.path]).toEqual(["GET", `/renewal/${ID}`]);
  });

  test("that is unknown or malformed is returned as a refusal", async () => {
    const unknown = answering(problemReply(404, "malformed", "no such certificate"));
    expect(await unknown.renewalInfo(ID, noAbort)).toMatchObject({
      ok: false,
      failure: { status: 404 },
    });
    stand.ca.clear();
    const nonsense = answering({ do: "reply", reply: { body: "<html>" } });
    expect(await nonsense.renewalInfo(ID, noAbort)).toMatchObject({
      ok: false,
      failure: { code: "unavailable" },
    });
  });
});
