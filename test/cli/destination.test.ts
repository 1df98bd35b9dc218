import { expect, test } from "bun:test";

import { destination, type DestinationFlags } from "../../cli/client.ts";
import { Failure } from "../../settings/failure.ts";

const none: DestinationFlags = {
  "data-dir": undefined,
  config: undefined,
  server: undefined,
  "token-file": undefined,
};

const to = (
  flags: Partial<DestinationFlags> = {},
  environment: Readonly<Record<string, string>> = {},
) => destination({ ...none, ...flags }, environment);

/** Returns the exit kind and message of the failure. */
function failure(flags: Partial<DestinationFlags>, environment = {}): readonly [string, string] {
  try {
    to(flags, environment);
  } catch (error) {
    if (error instanceof Failure) return [error.exit, error.message];
  }
  throw new Error("did not fail");
}

test("without flags or environment the destination is this machine's installation", () => {
  expect(to()).toEqual({ kind: "installation" });
  expect(to({ "data-dir": "x" })).toEqual({ kind: "installation" });
  expect(to({}, { PETSTORE_SERVER: "" })).toEqual({ kind: "installation" });
});

test("a flag or the environment names the server, and the flag wins", () => {
  const environment = { PETSTORE_SERVER: "https://one.example" };
  expect(to({}, environment)).toMatchObject({ kind: "remote", server: "https://one.example" });
  expect(to({ server: "https://two.example" }, environment)).toMatchObject({
    server: "https://two.example",
  });
  expect(to({ "data-dir": "x" }, environment)).toEqual({ kind: "installation" });
  expect(to({ config: "x" }, environment)).toEqual({ kind: "installation" });
  expect(to({}, { ...environment, PETSTORE_DATA_DIR: "/data" })).toMatchObject({ kind: "remote" });
});

test.each([
  ["https://pets.example.org/", "https://pets.example.org"],
  ["HTTPS://Pets.Example.org/shelter/", "https://pets.example.org/shelter"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
])("the server %s is normalized so that a path can be appended", (server, written) => {
  expect(to({ server })).toMatchObject({ server: written });
});

test.each([
  "pets.example.org",
  "ftp://pets.example.org",
  "https://pets.example.org/?x",
  "https://pets.example.org/#x",
  "https://me:secret@pets.example.org",
  "",
])("%p is not a server address", (server) => {
  const [exit, message] = failure({ server });
  expect(exit).toBe("usage");
  expect(message).toStartWith("--server must be an address such as https://pets.example.org");
});

test("a wrong address in the environment is a configuration error", () => {
  const [exit, message] = failure({}, { PETSTORE_SERVER: "x" });
  expect([exit, message.split(" ")[0]]).toEqual(["configuration", "PETSTORE_SERVER"]);
});

test("the token is read from a file or the environment, and the flag wins", () => {
  const server = "https://a.example";
  const given = { PETSTORE_TOKEN: "secret" };
  const filed = { PETSTORE_TOKEN_FILE: "f" };
  const token = (flags: Partial<DestinationFlags>, environment = {}) =>
    to({ server, ...flags }, environment);
  expect(token({})).toMatchObject({ token: undefined });
  expect(token({}, given)).toMatchObject({ token: { kind: "given", token: "secret" } });
  expect(token({}, filed)).toMatchObject({ token: { kind: "file", path: "f" } });
  expect(token({ "token-file": "g" }, { ...given, ...filed })).toMatchObject({
    token: { kind: "file", path: "g" },
  });
  expect(failure({ server }, { ...given, ...filed })[0]).toBe("configuration");
});

test("contradicting flags are refused", () => {
  const server = "https://a.example";
  expect(failure({ server, "data-dir": "x" })[1]).toContain("--server and --data-dir");
  expect(failure({ server, config: "x" })[1]).toContain("--server and --config");
  expect(failure({ "token-file": "x" })[1]).toContain("needs --server");
});
