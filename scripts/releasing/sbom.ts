import { createHash } from "node:crypto";

import { bundledPackages, lockedPackages, type Package } from "./bundled.ts";
import type { ReleaseTarget } from "./targets.ts";

interface SbomOptions {
  readonly version: string;
  readonly commit: string;
  /** Time of the commit, in ISO 8601. */
  readonly at: string;
  readonly targets: readonly ReleaseTarget[];
}

/** Returns the bill of materials of a release (CycloneDX 1.6): the packages in the executables, and their runtimes. */
export async function sbom({ version, commit, at, targets }: SbomOptions): Promise<object> {
  const locked = await lockedPackages();
  const packages = [...(await bundledPackages()).values()].map(componentOf);
  const runtimes = targets.map(({ runtime }) => {
    const name = `@oven/${runtime}`;
    const known = locked[`node_modules/${name}`];
    if (known === undefined) throw new Error(`The lock file does not have ${name}.`);
    return { ...componentOf({ ...known, name }), type: "platform" };
  });
  // The same package may be at several places of the tree.
  const components = [
    ...new Map([...packages, ...runtimes].map((one) => [one["bom-ref"], one])).values(),
  ];
  const self = `pkg:npm/petstore@${version}`;
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(`${self} ${commit}`)}`,
    version: 1,
    metadata: {
      timestamp: at,
      component: {
        type: "application",
        "bom-ref": self,
        name: "petstore",
        version,
        purl: self,
        licenses: [{ expression: "MIT" }],
        properties: [{ name: "petstore:commit", value: commit }],
      },
    },
    components,
    dependencies: [{ ref: self, dependsOn: components.map((one) => one["bom-ref"]) }],
  };
}

function componentOf({ name, version, license, integrity }: Package) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const hash = Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    scope: "required",
    hashes: [{ alg: "SHA-512", content: hash }],
    licenses: [{ expression: license.replace(/^\((.*)\)$/, "$1") }],
    purl,
  };
}

/** Returns a UUID that is the same for the same text (RFC 9562 §5.8). */
function uuidOf(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
