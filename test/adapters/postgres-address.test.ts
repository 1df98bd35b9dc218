import { expect, test } from "bun:test";

import { addressOf } from "../../adapters/postgres/address.ts";

test("an address names hosts, user, password and database", () => {
  expect(
    addressOf("postgres://ann:p%40ss:w%2Frd@db1:6000,db2,[::1]:7/pets%20?sslmode=require"),
  ).toEqual({
    servers: [
      { host: "db1", port: 6_000 },
      { host: "db2", port: 5_432 },
      { host: "::1", port: 7 },
    ],
    username: "ann",
    password: "p@ss:w/rd",
    database: "pets ",
    sslMode: "require",
  });
});

test("the database has the user's name by default, on this machine", () => {
  expect(addressOf("postgresql://ann@")).toEqual({
    servers: [{ host: "localhost", port: 5_432 }],
    username: "ann",
    password: "",
    database: "ann",
    sslMode: "prefer",
  });
});

test("a host that is a path is the directory of a socket", () => {
  expect(addressOf("postgres://ann@/pets?host=/run/postgresql&port=5433").servers).toEqual([
    { host: "localhost", port: 5_433, socket: "/run/postgresql" },
  ]);
});

const invalid = {
  "mysql://ann@db/pets": "must look like postgres://",
  "postgres://db/pets": "names no user",
  "postgres://ann@db:0/pets": "invalid port",
  "postgres://ann@db:70000/pets": "invalid port",
  "postgres://ann@d b:x/pets": "invalid host",
  "postgres://ann%zz@db/pets": "percent-encoding",
  "postgres://ann@db/pets?sslmode=allow": "sslmode=disable, prefer, require, verify-full",
  "postgres://ann@db/pets?target=1": "unknown parameter: target",
};

for (const [address, reason] of Object.entries(invalid)) {
  test(`${address} ${reason}`, () => {
    expect(() => addressOf(address)).toThrow(reason);
  });
}

test("an error does not repeat the password", () => {
  expect(() => addressOf("postgres//ann:secret@db")).toThrow(/^(?!.*secret)/);
});
