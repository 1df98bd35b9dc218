import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import { loadSettings } from "../../settings/load.ts";
import type { Settings } from "../../settings/options.ts";

const ROOT = join(import.meta.dir, "../..");

const textOf = (path: string): Promise<string> => Bun.file(join(ROOT, path)).text();

/** Loads the options of a node as the program would. Its secrets are in files of these directories. */
async function settingsOf(
  environment: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): Promise<Settings> {
  const readText = async (path: string): Promise<string> => {
    const text = secrets[path];
    if (text === undefined) throw new Error(`nothing mounts ${path}`);
    return text;
  };
  return (await loadSettings({ flags: {}, environment, readText })).settings;
}

const SECRETS: Readonly<Record<string, string>> = {
  "encryption-key": Buffer.alloc(32, 7).toString("base64"),
  "database-url": "postgres://petstore:secret@db1:5432,db2:5432/petstore",
  "redis-url": "redis://petstore:secret@valkey:6379",
};

const mountedAt = (directory: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(SECRETS).map(([name, text]) => [`${directory}/${name}`, text]));

/** The longest time from the signal to the end of all requests, in seconds: `DRAIN_MS` and some for the rest. */
const STOPPED_WITHIN_S = 30;

async function packageVersion(): Promise<string> {
  return (JSON.parse(await textOf("package.json")) as { version: string }).version;
}

interface ComposeService {
  readonly image: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly networks: { readonly default: { readonly ipv4_address: string } };
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>> & {
    readonly haproxy: ComposeService;
  };
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const composeText = (await textOf("examples/compose/compose.yaml")).replaceAll(
  /\$\{\w+:-([^}]*)\}/g,
  "$1",
);
const proxy = await textOf("examples/compose/haproxy.cfg");

describe("examples/compose", () => {
  const { services, secrets, volumes } = Bun.YAML.parse(composeText) as Compose;
  const nodes = Object.entries(services).filter(([name]) => name.startsWith("pets-"));
  const addressOf = (service: ComposeService): string => service.networks.default.ipv4_address;

  test("every node has valid options, and they agree with its name, address and secrets", async () => {
    expect(nodes.length).toBe(3);
    for (const [name, node] of nodes) {
      expect(new Set(node.secrets)).toEqual(new Set(Object.keys(SECRETS)));
      const settings = await settingsOf(node.environment, mountedAt("/run/secrets"));
      expect(settings.nodeName).toBe(name);
      expect(settings.nodeAddresses).toEqual([addressOf(node)]);
      expect(settings.proxyProtocol).toBe(true);
      expect(node.image).toBe(`petstore:${await packageVersion()}`);
      expect(Number.parseInt(node.stop_grace_period ?? "", 10)).toBeGreaterThan(STOPPED_WITHIN_S);
      expect(node.volumes).toEqual([`${name}:/data`, "backups:/backups"]);
    }
  });

  test("the load balancer forwards the public ports to the nodes, checks them, and alone is trusted", async () => {
    const { haproxy } = services;
    for (const [index, [name, node]] of nodes.entries()) {
      expect(haproxy.environment[`PETS_${index + 1}`]).toBe(addressOf(node));
      const settings = await settingsOf(node.environment, mountedAt("/run/secrets"));
      expect(node.environment["PETSTORE_TRUSTED_PROXIES"]).toBe(`${addressOf(haproxy)}/32`);
      const ports = [
        [settings.publicHttpPort, settings.listen],
        [settings.publicHttpsPort, settings.listenHttps],
      ] as const;
      for (const [published, listener] of ports) {
        if (typeof listener !== "object") throw new Error(`${name} does not listen`);
        const inside = new RegExp(`bind :${listener.port}\n(?:    .+\n)*    server ${name} "\\$`);
        expect(proxy).toMatch(inside);
        expect(proxy).toContain(`server ${name} "\${PETS_${index + 1}}:${listener.port}"`);
        expect(haproxy.ports).toContain(`${published}:${listener.port}`);
      }
    }
    expect(proxy).toContain("option httpchk GET /readyz");
    expect(proxy).toContain("default-server send-proxy-v2");
    expect(proxy).toContain("check check-send-proxy");
  });

  test("every secret is created, and every mounted file and volume exists", async () => {
    const script = await textOf("examples/compose/make-secrets.sh");
    const used = new Set(Object.values(services).flatMap((service) => service.secrets ?? []));
    expect(used).toEqual(new Set(Object.keys(secrets)));
    for (const [name, { file }] of Object.entries(secrets)) {
      expect(file).toBe(`./secrets/${name}`);
      expect(script).toContain(`> secrets/${name}`);
    }
    for (const { volumes: mounts = [] } of Object.values(services)) {
      for (const mount of mounts) {
        const [from = ""] = mount.split(":");
        if (!from.startsWith(".")) expect(volumes).toHaveProperty(from);
        else expect(await exists(join(ROOT, "examples/compose", from)), mount).toBe(true);
      }
    }
  });
});

interface Container {
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } };
  }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly readinessProbe: { readonly httpGet: unknown };
  readonly livenessProbe: { readonly httpGet: unknown };
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: string[] } } };
}

interface Labels {
  readonly matchLabels: Readonly<Record<string, string>>;
}

interface Deployment {
  readonly selector: Labels;
  readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number } };
  readonly template: {
    readonly metadata: { readonly labels: unknown };
    readonly spec: {
      readonly terminationGracePeriodSeconds: number;
      readonly securityContext: { readonly runAsUser: number };
      readonly containers: readonly [Container];
    };
  };
}

const manifest = Bun.YAML.parse(await textOf("examples/kubernetes/petstore.yaml")) as readonly {
  readonly kind: string;
  readonly spec?: unknown;
  readonly data?: unknown;
}[];

describe("examples/kubernetes", () => {
  const found = (kind: string) => {
    const resource = manifest.find((one) => one.kind === kind);
    if (resource === undefined) throw new Error(`the manifest has no ${kind}`);
    return resource;
  };
  const { template, strategy, selector } = found("Deployment").spec as Deployment;
  const [container] = template.spec.containers;
  const portOf = (name: string): number | undefined =>
    container.ports.find((port) => port.name === name)?.containerPort;

  test("the options are valid and agree with ports, mounts and probes", async () => {
    const fields: Readonly<Record<string, string>> = {
      "metadata.name": "petstore-1",
      "status.podIP": "10.0.0.7",
    };
    const own = container.env.map(({ name, value, valueFrom }) => {
      const field = fields[valueFrom?.fieldRef.fieldPath ?? ""];
      return [name, value ?? field] as const;
    });
    const mounts = new Map(
      container.volumeMounts.map(({ name, mountPath }) => [name, mountPath] as const),
    );
    const shared = found("ConfigMap").data as Readonly<Record<string, string>>;
    const environment = { ...shared, ...Object.fromEntries(own) } as Record<string, string>;
    const settings = await settingsOf(environment, mountedAt(mounts.get("secrets") ?? ""));
    expect(settings).toMatchObject({ nodeName: "petstore-1", nodeAddresses: ["10.0.0.7"] });
    expect(settings.listen).toMatchObject({ port: portOf("http") });
    expect(settings.listenHttps).toMatchObject({ port: portOf("https") });
    expect(settings.metricsListen).toMatchObject({ port: portOf("metrics") });
    const { ports } = found("Service").spec as { readonly ports: unknown };
    expect(ports).toEqual([
      expect.objectContaining({ port: settings.publicHttpPort, targetPort: "http" }),
      expect.objectContaining({ port: settings.publicHttpsPort, targetPort: "https" }),
    ]);
    expect(container.readinessProbe.httpGet).toEqual({ path: "/readyz", port: "http" });
    expect(container.livenessProbe.httpGet).toEqual({ path: "/livez", port: "http" });
    expect(await textOf("Dockerfile")).toContain(`PETSTORE_DATA_DIR=${mounts.get("data")} `);
  });

  test("nodes are replaced one by one, and have time to finish their requests", async () => {
    expect(strategy.rollingUpdate.maxUnavailable).toBe(0);
    const [, seconds] = container.lifecycle.preStop.exec.command;
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
      Number(seconds) + STOPPED_WITHIN_S,
    );
    expect(container.image).toBe(`petstore:${await packageVersion()}`);
    const uid = template.spec.securityContext.runAsUser;
    expect(await textOf("Dockerfile")).toContain(`USER ${uid}:${uid}\n`);
    for (const kind of ["Service", "PodDisruptionBudget"]) {
      const { selector: chosen } = found(kind).spec as { readonly selector: Partial<Labels> };
      expect(chosen.matchLabels ?? chosen).toEqual(selector.matchLabels);
    }
    expect(template.metadata.labels).toEqual(selector.matchLabels);
  });
});

async function exists(path: string): Promise<boolean> {
  return Bun.file(path)
    .stat()
    .then(
      () => true,
      () => false,
    );
}
