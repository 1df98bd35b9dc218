import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { torture } from "../helpers/chance.ts";
import { recipesWithPackage, RECIPES } from "../helpers/nested.ts";
import { describeLong } from "../helpers/long.ts";

const ROOT = join(import.meta.dir, "../..");

// It installs the packages of OpenTelemetry.
const lacking = torture ? await recipesWithPackage() : "needs TEST_TORTURE=1";

interface Told {
  readonly spans: readonly {
    readonly name: string;
    readonly traceId: string;
    readonly parent: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
  readonly metrics: readonly {
    readonly name: string;
    readonly unit: string;
    readonly points: readonly {
      readonly attributes: Readonly<Record<string, unknown>>;
      readonly count: number;
      readonly sum: number;
    }[];
  }[];
}

describeLong.skipIf(lacking !== undefined)(
  `docs/embedding-telemetry.md${lacking === undefined ? "" : ` (${lacking})`}`,
  () => {
    test("names spans and metrics after the conventions, and continues the client's trace", async () => {
      const page = await Bun.file(join(ROOT, "docs/embedding-telemetry.md")).text();
      const blocks = Array.from(page.matchAll(/^```js\n(.*?)^```$/gms), ([, code = ""]) => code);
      const [telemetry = "", , traced = ""] = blocks;
      expect([telemetry, traced].map((code) => /export function (\w+)/.exec(code)?.[1])).toEqual([
        "onAnswer",
        "traced",
      ]);
      const folder = join(RECIPES, "node_modules/.recipe");
      await mkdir(folder, { recursive: true });
      await Bun.write(join(folder, "telemetry.js"), telemetry);
      await Bun.write(join(folder, "traced.js"), traced);
      await Bun.write(join(folder, "package.json"), `{ "type": "module" }`);

      const child = Bun.spawn(["node", "telemetry.js"], {
        cwd: RECIPES,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [out, err] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      expect([await child.exited, err]).toEqual([0, ""]);
      const { spans, metrics }: Told = JSON.parse(out);

      expect(spans.map(({ name }) => name)).toEqual([
        "POST /v1/categories",
        "POST /v1/pets",
        "GET /v1/pets",
        "GET /v1/pets",
        "PATCH /v1/pets/{petId}",
        // Without an operation the name stays the method alone.
        "GET",
        "PROPFIND",
      ]);
      for (const { traceId, parent } of spans) {
        expect([traceId, parent]).toEqual(["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]);
      }
      expect(spans[4]?.attributes).toEqual({
        "http.request.method": "PATCH",
        "http.response.status_code": 200,
        "http.route": "/v1/pets/{petId}",
        "url.scheme": "https",
        "petstore.operation": "updatePet",
        "petstore.request_id": expect.stringMatching(/^req_/),
        "petstore.key_id": expect.any(String),
      });
      expect(spans[5]?.attributes).toMatchObject({ "petstore.operation": "unknown" });

      expect(metrics).toHaveLength(1);
      const [duration] = metrics;
      expect([duration?.name, duration?.unit]).toEqual(["http.server.request.duration", "s"]);
      const counts = duration?.points.map(({ attributes, count }) => [
        attributes["http.request.method"],
        attributes["http.route"],
        attributes["http.response.status_code"],
        count,
      ]);
      expect(counts).toEqual([
        ["POST", "/v1/categories", 201, 1],
        ["POST", "/v1/pets", 201, 1],
        ["GET", "/v1/pets", 200, 2],
        ["PATCH", "/v1/pets/{petId}", 200, 1],
        ["GET", undefined, 404, 1],
        ["_OTHER", undefined, 405, 1],
      ]);
      for (const { sum } of duration?.points ?? []) expect(sum).toBeLessThan(60);
    });
  },
);
