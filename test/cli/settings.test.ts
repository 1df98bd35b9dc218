import { describe, expect, test } from "bun:test";

import { Glob } from "bun";
import { join } from "node:path";

import { Failure } from "../../settings/failure.ts";
import { issuersIn } from "../../settings/issuers.ts";
import { optionEntries } from "../../settings/options.ts";
import { loadSettings } from "../../settings/load.ts";
import { shownSettings } from "../../settings/shown.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");

function load({
  flags = {},
  environment = {},
  files = {},
}: {
  readonly flags?: Record<string, string>;
  readonly environment?: Record<string, string>;
  readonly files?: Record<string, string>;
}) {
  const readText = async (path: string): Promise<string> => {
    const text = files[path];
    if (text === undefined) throw Object.assign(new Error("none"), { code: "ENOENT" });
    return text;
  };
  return loadSettings({ flags, environment, readText });
}

async function failure(sources: Parameters<typeof load>[0]): Promise<Failure> {
  try {
    await load(sources);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

test("every option is read where the service is made", async () => {
  const root = new URL("../..", import.meta.url).pathname;
  const code: string[] = [];
  for await (const path of new Glob("{settings,server,cli}/**/*.ts").scan(root)) {
    if (path !== "settings/options.ts") code.push(await Bun.file(join(root, path)).text());
  }
  // As a member of the settings, or as a name that they are taken apart into.
  const isRead = (name: string): boolean => {
    const member = `settings\\??\\.${name}\\b`;
    const type = `[\\w<>"|, [\\]]*Settings\\b`;
    const part = `\\{[^{}]*\\b${name}\\b[^{}]*\\}(?: = (?:\\w+\\.)?settings\\b|: ${type})`;
    const read = new RegExp(`${member}|${part}`, "i");
    return code.some((text) => read.test(text));
  };
  expect(optionEntries.map(([name]) => name).filter((name) => !isRead(name))).toEqual([]);
  // A name that other code has, but no option.
  for (const name of ["notAnOption", "note", "title", "timeout"])
    expect([name, isRead(name)]).toEqual([name, false]);
});

test("without any source every option has its default", async () => {
  const { settings, sources } = await load({});
  expect(settings).toEqual({
    dataDir: "./petstore-data",
    databaseUrl: undefined,
    databaseCaFile: undefined,
    databaseSchema: undefined,
    databasePoolSize: 10,
    redisUrl: undefined,
    redisCaFile: undefined,
    nodeName: undefined,
    nodeAddresses: [],
    staleRoutesFor: 900_000,
    proxyProtocol: false,
    listen: { host: "127.0.0.1", port: 8080 },
    stagingListen: "auto",
    publicHttpPort: undefined,
    baseDomain: "localhost",
    sitesDomain: undefined,
    encryptionKey: undefined,
    adminEmail: undefined,
    adminPassword: undefined,
    trustedProxies: [],
    smtpUrl: undefined,
    mailFrom: undefined,
    releasesUrl: undefined,
    logFormat: "auto",
    logLevel: "info",
    watchdog: 30_000,
    metricsListen: "off",
    listenHttps: "off",
    publicHttpsPort: undefined,
    tlsCertFile: undefined,
    tlsKeyFile: undefined,
    hstsSeconds: 0,
    cnameTarget: undefined,
    edgeAddresses: [],
    dnsServers: undefined,
    acme: "letsencrypt",
    acmeCaFile: undefined,
    acmeCaaIdentity: undefined,
    acmeEmail: undefined,
    acmeEabKid: undefined,
    acmeEabHmacKey: undefined,
    acmeProfile: undefined,
    issuers: undefined,
    allowPrivateNetworks: false,
    backupTo: undefined,
    backupEvery: 86_400_000,
    adoptersKeep: 63_072_000_000,
    enquiriesKeep: 31_536_000_000,
    auditKeep: 34_560_000_000,
    requestsKeep: 604_800_000,
    backupKeep: 7,
    backupRecipient: undefined,
    backupMaxAge: undefined,
    blobsUrl: undefined,
    photoBytesFree: 268_435_456,
    photoBytesPro: 2_147_483_648,
    photoBytesBusiness: 21_474_836_480,
    s3Endpoint: undefined,
    s3Region: undefined,
    s3AccessKeyId: undefined,
    s3SecretAccessKey: undefined,
    s3SessionToken: undefined,
  });
  expect(new Set(Object.values(sources))).toEqual(new Set(["default"]));
});

test("flags win over the environment, the environment over the file, the file over the default", async () => {
  const file = {
    listen: ":1",
    "staging-listen": ":1",
    "log-level": "warn",
    "public-http-port": 81,
  };
  const { settings, sources } = await load({
    flags: { listen: ":3" },
    environment: { PETSTORE_LISTEN: ":2", PETSTORE_STAGING_LISTEN: ":2", PETSTORE_CONFIG: "c" },
    files: { c: JSON.stringify(file) },
  });
  expect(settings.listen.port).toBe(3);
  expect(settings.stagingListen).toEqual({ host: "", port: 2 });
  expect(settings.logLevel).toBe("warn");
  expect(settings.publicHttpPort).toBe(81);
  expect(sources).toMatchObject({
    listen: "flag",
    stagingListen: "environment",
    logLevel: "file",
    baseDomain: "default",
    sitesDomain: "default",
  });
});

test("all errors of all sources are reported at once", async () => {
  const { message, exit } = await failure({
    flags: { listen: "8080", config: "c" },
    environment: { PETSTORE_LISTN: ":1", PETSTORE_LOG_LEVEL: "loud" },
    files: { c: JSON.stringify({ "lo-level": "info", "base-domain": true }) },
  });
  expect(exit).toBe("configuration");
  expect(message).toContain("5 errors");
  expect(message).toContain(
    '--listen must be HOST:PORT, [IPV6]:PORT or :PORT, not "8080"; did you mean :8080?',
  );
  expect(message).toContain("PETSTORE_LISTN is not an option; did you mean PETSTORE_LISTEN?");
  expect(message).toContain("PETSTORE_LOG_LEVEL must be one of debug, info, warn, error");
  expect(message).toContain('"lo-level" is not an option; did you mean "log-level"?');
  expect(message).toContain('"base-domain" must be a string');
});

test.each([
  ["59m", "must be at least 1h"],
  ["31d", "must be at most 30d"],
])("requests are not kept for %s", async (kept, words) => {
  const { message } = await failure({ flags: { "requests-keep": kept } });
  expect(message).toContain(`--requests-keep ${words}`);
});

test("an error in flags only is a usage error", async () => {
  expect((await failure({ flags: { listen: "x" } })).exit).toBe("usage");
});

test.each([["PETSTORE_DNS_LISTEN", "a wildcard record"]])(
  "%s is refused as not in this version",
  async (variable, words) => {
    const { message } = await failure({ environment: { [variable]: "x" } });
    expect(message).toContain("not in this version");
    expect(message).toContain(words);
  },
);

test("an option that is not in this version is refused in the config file too", async () => {
  const { message } = await failure({
    flags: { config: "c" },
    files: { c: '{"dns-listen": ":53"}' },
  });
  expect(message).toContain('"dns-listen": not in this version');
});

test("variables that Kubernetes sets for a service named petstore are ignored", async () => {
  const environment = {
    PETSTORE_PORT: "tcp://10.0.0.1:80",
    PETSTORE_PORT_80_TCP_ADDR: "10.0.0.1",
    PETSTORE_SERVICE_HOST: "10.0.0.1",
    PETSTORE_SERVICE_PORT_HTTP: "80",
  };
  expect((await load({ environment })).settings.listen.port).toBe(8080);
});

test("an empty variable counts as not set", async () => {
  const { sources } = await load({ environment: { PETSTORE_LISTEN: "", PETSTORE_CONFIG: "" } });
  expect(sources.listen).toBe("default");
});

test("the error for a missing or invalid config file names the file", async () => {
  expect((await failure({ flags: { config: "c" } })).message).toBe("c: the file does not exist.");
  for (const text of ["{", "[]", "null", '"x"']) {
    expect((await failure({ flags: { config: "c" }, files: { c: text } })).message).toStartWith(
      "c: ",
    );
  }
});

test("a secret is read from the environment, from a file that it names, or from the config file", async () => {
  const expected = new Uint8Array(32).fill(7);
  const sources = [
    { environment: { PETSTORE_ENCRYPTION_KEY: KEY } },
    { environment: { PETSTORE_ENCRYPTION_KEY: "07".repeat(32) } },
    { environment: { PETSTORE_ENCRYPTION_KEY_FILE: "k" }, files: { k: `${KEY}\n` } },
    { flags: { config: "c" }, files: { c: JSON.stringify({ "encryption-key": KEY }) } },
  ];
  for (const source of sources) {
    expect((await load(source)).settings.encryptionKey).toEqual(expected);
  }
});

test("a key of the wrong length is refused without being repeated", async () => {
  const wrong = Buffer.alloc(31, 7).toString("base64");
  const { message, exit } = await failure({ environment: { PETSTORE_ENCRYPTION_KEY: wrong } });
  expect(exit).toBe("configuration");
  expect(message).toContain("must be 32 bytes");
  expect(message).not.toContain(wrong);
});

test("a secret set in two ways and an unreadable secret file are errors", async () => {
  const both = { PETSTORE_ENCRYPTION_KEY: KEY, PETSTORE_ENCRYPTION_KEY_FILE: "k" };
  expect((await failure({ environment: both })).message).toContain("cannot be combined");
  const missing = { PETSTORE_ENCRYPTION_KEY_FILE: "k" };
  expect((await failure({ environment: missing })).message).toContain("does not exist");
});

test("a secret has no flag and is never shown", async () => {
  const loaded = await load({ environment: { PETSTORE_ENCRYPTION_KEY: KEY } });
  const shown = shownSettings(loaded);
  expect(shown["encryption-key"]).toEqual({ text: "(set)", source: "environment" });
  expect(JSON.stringify(shown)).not.toContain(KEY);
});

test("every option is shown in a form that can be passed again", async () => {
  const flags = {
    listen: "[::1]:1",
    "trusted-proxies": "10.0.0.0/8,fd00::/8",
    "metrics-listen": ":9",
    "base-domain": "Pets.Example.ORG.",
  };
  const shown = shownSettings(await load({ flags }));
  expect(Object.keys(shown)).toEqual(optionEntries.map(([, { name }]) => name));
  expect(shown["listen"]?.text).toBe("[::1]:1");
  expect(shown["trusted-proxies"]?.text).toBe("10.0.0.0/8,fd00::/8");
  expect(shown["metrics-listen"]?.text).toBe(":9");
  expect(shown["base-domain"]?.text).toBe("pets.example.org");
  expect(shown["hsts"]?.text).toBe("off");
  const insisting = { hsts: "1h", "listen-https": ":443", "base-domain": "pets.example.org" };
  expect(shownSettings(await load({ flags: insisting }))["hsts"]?.text).toBe("3600s");
});

test.each(["", "a b", "-a.b", "http://x", "x:80", "x/y", "1.2.3"])(
  "%p is not a valid base domain",
  async (written) => {
    await failure({ flags: { "base-domain": written } });
  },
);

test("the sites domain cannot be an IP address", async () => {
  const { message } = await failure({ flags: { "sites-domain": "192.0.2.1" } });
  expect(message).toContain("--sites-domain must be a domain: an IP has no subdomains");
});

test("boolean options accept only true and false, and other options accept neither", async () => {
  const config = (text: string) => load({ flags: { config: "c" }, files: { c: text } });
  expect((await config('{"allow-private-networks": true}')).settings.allowPrivateNetworks).toBe(
    true,
  );
  await expect(config('{"base-domain": true}')).rejects.toThrow('"base-domain" must be a string');
  await expect(config('{"allow-private-networks": []}')).rejects.toThrow("must be true or false");
});

test.each([
  ["tls-cert-file needs tls-key-file", { "tls-cert-file": "c", "listen-https": ":1" }],
  ["tls-key-file needs tls-cert-file", { "tls-key-file": "k", "listen-https": ":1" }],
  ["tls-cert-file needs listen-https", { "tls-cert-file": "c", "tls-key-file": "k" }],
  ["public-https-port needs listen-https", { "public-https-port": "443" }],
  ["hsts needs HTTPS", { hsts: "60d", "base-domain": "pets.example.org" }],
  ["hsts needs a domain as base-domain", { hsts: "60d", "listen-https": ":443" }],
  ["cname-target must be a name of its own", { "cname-target": "localhost" }],
  ["acme-eab-kid needs acme-eab-hmac-key", { "acme-eab-kid": "kid" }],
  ["acme-email is for an external CA", { acme: "internal", "acme-email": "a@b.org" }],
])("%s", async (words, flags) => {
  const { message, exit } = await failure({ flags });
  expect(exit).toBe("configuration");
  expect(message).toContain(words);
});

test("all conflicts of options are reported at once", async () => {
  const flags = { "tls-cert-file": "c", "public-https-port": "443", "acme-eab-kid": "kid" };
  expect((await failure({ flags })).message).toContain("have 3 errors");
});

test.each([
  ["--acme accepts one CA", { acme: "letsencrypt,internal" }],
  ["--acme must be one of letsencrypt", { acme: "http://ca.example/directory" }],
  ["--dns-servers must be addresses", { "dns-servers": "resolver.example" }],
  ["--edge-addresses must be addresses", { "edge-addresses": "192.0.2.1,edge.example" }],
  ["--cname-target must be a domain", { "cname-target": "192.0.2.1" }],
  ["--acme-email must be an email address", { "acme-email": "nobody" }],
])("%s is reported for an invalid value", async (words, flags) => {
  const { message, exit } = await failure({ flags });
  expect(exit).toBe("usage");
  expect(message).toContain(words);
});

test("HTTPS options are shown in a form that can be passed again, except the secret", async () => {
  const flags = {
    "dns-servers": "192.0.2.53,[2001:db8::53]:5353",
    "edge-addresses": "192.0.2.1, 2001:DB8::1",
    "allow-private-networks": "true",
    "acme-eab-kid": "kid",
  };
  const environment = { PETSTORE_ACME_EAB_HMAC_KEY: "c2VjcmV0LXNlY3JldA==" };
  const loaded = await load({ flags, environment });
  const shown = shownSettings(loaded);
  expect(shown["dns-servers"]?.text).toBe("192.0.2.53,[2001:db8::53]:5353");
  expect(shown["edge-addresses"]?.text).toBe("192.0.2.1,2001:db8::1");
  expect(shown["allow-private-networks"]?.text).toBe("true");
  expect(shown["acme-eab-hmac-key"]?.text).toBe("(set)");
  expect(loaded.settings.acmeEabHmacKey).toBe("c2VjcmV0LXNlY3JldA");
});

test("a mail server is an address with a user and a password, or with neither", async () => {
  const mail = async (url: string, from = "Pets <pets@example.org>") => {
    const environment = { PETSTORE_SMTP_URL: url, PETSTORE_MAIL_FROM: from };
    return (await load({ environment })).settings;
  };
  const url = "smtp://ada@example.org:p@ss:word@mail.example.org";
  expect(await mail(url)).toMatchObject({
    smtpUrl: url,
    mailFrom: { address: "pets@example.org", name: "Pets" },
  });
  expect((await mail("smtps://[::1]:465", "pets@example.org")).mailFrom).toEqual({
    address: "pets@example.org",
  });
  const shown = shownSettings(
    await load({ environment: { PETSTORE_SMTP_URL: url, PETSTORE_MAIL_FROM: "A <a@b.c>" } }),
  );
  expect(shown["smtp-url"]?.text).toBe("(set)");
  expect(shown["mail-from"]?.text).toBe("A <a@b.c>");
});

test("a mail server that cannot be used is refused at the start, without its password", async () => {
  const refusal = async (url: string, from: string | undefined = "pets@example.org") =>
    (
      await failure({
        environment: {
          PETSTORE_SMTP_URL: url,
          ...(from === "" ? {} : { PETSTORE_MAIL_FROM: from }),
        },
      })
    ).message;
  const like = "must look like smtp://user:password@host:587";
  const faults: readonly (readonly [string, string])[] = [
    ["mail.example.org", like],
    ["http://secret@mail.example.org", like],
    ["smtp://", like],
    ["smtp://mail.example.org/secret", like],
    ["smtp://mail.example.org:0", "has an invalid host or port"],
    ["smtp://mail.example.org:65536", "has an invalid host or port"],
    ["smtp://mail example.org", "has an invalid host or port"],
    ["smtp://ada@mail.example.org", "must have both a user and a password, or neither"],
    ["smtp://:secret@mail.example.org", "must have both a user and a password, or neither"],
    ["smtp://ada:%zz@mail.example.org", "has an invalid percent-encoding"],
    ["smtp://ada:a%0d%0ab@mail.example.org", "has a control character in its user or password"],
    ["smtp://ada:secret@mail.example.org?tls=no", "must have one of tls=required, optional"],
    ["smtp://ada:secret@mail.example.org?ssl=1", "has an unknown parameter: ssl"],
  ];
  for (const [url, fault] of faults) {
    expect([url, await refusal(url)]).toEqual([url, `PETSTORE_SMTP_URL ${fault}.`]);
  }
  expect(await refusal("smtp://mail.example.org", "Pets")).toContain(
    "PETSTORE_MAIL_FROM must be an email address, such as ada@shelter.org",
  );
  expect(await refusal("smtp://mail.example.org", "A\u0000B <a@b.c>")).toContain("has a name that");
  expect(await refusal("smtp://mail.example.org", "")).toBe(
    "smtp-url needs mail-from: the address that mails come from.",
  );
  expect((await failure({ environment: { PETSTORE_MAIL_FROM: "a@b.c" } })).message).toBe(
    "mail-from needs smtp-url: the server that sends mails.",
  );
});

describe("several CAs", () => {
  const FIRST = { directory: "letsencrypt", email: "a@b.org", profile: "tlsserver" };
  const SECOND = {
    directory: "https://ca.example/directory",
    eab: { kid: "kid", hmacKey: "c2VjcmV0LXNlY3JldA==" },
    caaIdentities: ["CA.example"],
    caFile: "/etc/ca.pem",
  };
  const config = (
    issuers: unknown,
    more: object = {},
    flags: Readonly<Record<string, string>> = {},
  ) => ({
    flags: { ...flags, config: "c" },
    files: { c: JSON.stringify({ issuers, ...more }) },
  });

  test("are read from the configuration file, and shown without their secrets", async () => {
    const loaded = await load(config([FIRST, SECOND]));
    const read = { ...SECOND, eab: { kid: "kid", hmacKey: "c2VjcmV0LXNlY3JldA" } };
    expect(issuersIn(loaded.settings)).toEqual([FIRST, { ...read, caaIdentities: ["ca.example"] }]);
    const { text = "" } = shownSettings(loaded)["issuers"] ?? {};
    expect(text).toContain('"hmacKey":"(set)"');
    expect(text).not.toContain("c2Vjcm");
  });

  test("are one CA with the single options, and none with the internal CA", async () => {
    const flags = { "acme-email": "a@b.org", "acme-profile": "shortlived" };
    const [one, ...others] = issuersIn((await load({ flags })).settings);
    expect(one).toMatchObject({
      directory: "letsencrypt",
      email: "a@b.org",
      profile: "shortlived",
    });
    expect(others).toEqual([]);
    expect(issuersIn((await load({ flags: { acme: "internal" } })).settings)).toEqual([]);
  });

  test.each([
    ["must be a list of objects", FIRST],
    ["must be a list of 1 to 5 objects", []],
    ["entry 2: directory is missing", [FIRST, {}]],
    ["entry 1: directory cannot be internal", [{ directory: "internal" }]],
    ["entry 1: directory must be one of letsencrypt", [{ directory: "http://ca.example" }]],
    ['entry 1: "profil" is not a member; did you mean "profile"?', [{ ...FIRST, profil: "x" }]],
    ["entry 1: eab must be an object with kid and hmacKey", [{ ...FIRST, eab: { kid: "k" } }]],
    [
      "entry 1: eab hmacKey must be base64url",
      [{ ...FIRST, eab: { kid: "k", hmacKey: "s3cr#t!" } }],
    ],
    ["entry 1: email must be an email address", [{ ...FIRST, email: "nobody" }]],
    ['has "https://acme-v02.api.letsencrypt.org/directory" twice', [FIRST, FIRST]],
  ])("%s is reported", async (words, issuers) => {
    const { message, exit } = await failure(config(issuers));
    expect(exit).toBe("configuration");
    expect(message).toContain(words);
    expect(message).not.toContain("s3cr");
  });

  test("exclude the options of a single one, wherever those are set", async () => {
    const both = await failure(
      config([FIRST], { acme: "letsencrypt" }, { "acme-email": "a@b.org" }),
    );
    expect(both.message).toContain("acme cannot be combined with issuers");
    expect(both.message).toContain("acme-email cannot be combined with issuers");
    const variable = await failure({ environment: { PETSTORE_ISSUERS: "[]" } });
    expect(variable.message).toContain("only the configuration file can set issuers");
  });
});
