import { expect, test } from "bun:test";

import { issuerForOwners, issuerInWords } from "../../../domains/model/issuer-name.ts";
import { applyFailedOrder } from "../../../domains/model/apply-order.ts";
import { domainEvent, hostEvent } from "../../../domains/model/timeline.ts";
import { someDomain, START } from "../../helpers/domains/rows.ts";

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

test("timelines and events name a CA in the operator's network by no address", () => {
  const authority = "https://10.1.2.3:14000/dir";
  expect(issuerInWords(authority)).toBe("a private certificate authority");
  const certificate = {
    id: "crt_1",
    authority,
    notBefore: 0,
    notAfter: 9,
    renewAt: 6,
    activeSince: 0,
    warned: 1,
  } as const;
  const domain = { ...someDomain(1), certificate };
  const news = { kind: "expiring" } as const;
  expect(domainEvent(domain, news)).toMatchObject({ issuer: "private", stage: 1 });
  expect(hostEvent(domain, news)).toMatchObject({ issuer: authority });
  const issuer = { authority, digest: "" };
  const outcome = { failure: "outage", code: "ca_unavailable", message: "It is away." } as const;
  const others = [{ authority: "https://other.test/directory" }];
  const failed = { kind: "order_failed", ...outcome, issuer, others } as const;
  const [said] = applyFailedOrder(domain, failed, START).news;
  expect(said?.message).toBe("An order at a private certificate authority failed: It is away.");
});
