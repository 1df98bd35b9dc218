import { expect, test } from "bun:test";

import { issuerForOwners } from "../../../domains/model/issuer-name.ts";

test.each([
  "https://acme-v02.api.letsencrypt.org/directory",
  "https://198.41.0.4/dir",
  "https://[2606:4700::1]/dir",
  "https://ca.test/directory",
  "internal",
])("owners read the CA %s", (id) => {
  expect(issuerForOwners(id)).toBe(id);
});

test.each([
  "https://10.1.2.3:14000/dir",
  "https://127.0.0.1/dir",
  "https://[fd00::1]/dir",
  "https://[::1]:9000/acme/acme/directory",
  "https://step-ca/acme/acme/directory",
  "https://ca.shelter.internal/directory",
  "https://ca.home.arpa/directory",
])("owners do not read where the CA %s is", (id) => {
  expect(issuerForOwners(id)).toBe("private");
});
