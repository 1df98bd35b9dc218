import { expect, test } from "bun:test";

import { smtpAddressOf } from "../../../adapters/mail/address.ts";

test("the address of a mail server has defaults for its port and its encryption", () => {
  expect(smtpAddressOf("smtp://mail.example.org")).toEqual({
    host: "mail.example.org",
    port: 587,
    isLoopback: false,
    implicitTls: false,
    tls: "optional",
    account: undefined,
  });
  expect(smtpAddressOf("SMTPS://ada%40example.org:a%2Fb:c@[2001:db8::1]/")).toEqual({
    host: "2001:db8::1",
    port: 465,
    isLoopback: false,
    implicitTls: true,
    tls: "required",
    account: { username: "ada@example.org", password: "a/b:c" },
  });
});

test.each([
  ["smtp://ada:secret@mail.example.org", "required"],
  ["smtp://ada:secret@mail.example.org?tls=optional", "optional"],
  ["smtp://ada:secret@localhost:25", "optional"],
  ["smtp://ada:secret@127.0.0.53:25", "optional"],
  ["smtp://ada:secret@[::1]:25", "optional"],
  ["smtp://ada:secret@localhost:25?tls=required", "required"],
  ["smtp://ada:secret@localhost.example.org", "required"],
  ["smtp://mail.example.org?tls=required", "required"],
  ["smtps://localhost", "required"],
  ["smtps://localhost?tls=optional", "optional"],
])(
  "a password leaves this machine encrypted unless the operator says otherwise (%s)",
  (url, tls) => {
    expect(smtpAddressOf(url).tls).toBe(tls as "required");
  },
);
