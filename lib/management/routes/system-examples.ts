import { planLimits } from "../../model/account.ts";

const address = "192.0.2.7";

export const systemExample: unknown = {
  version: "1.0.0",
  startedAt: "2026-11-20T09:30:00.000Z",
  baseDomain: "pets.example.org",
  address: "https://pets.example.org",
  checks: [
    {
      id: "free-space",
      title: "Free space",
      state: "warning",
      message: "312 MiB free",
      fix: "Make room on the disk of the data directory.",
    },
  ],
  settings: [{ name: "base-domain", value: "pets.example.org", origin: "environment" }],
};

export const baseDomainExample: unknown = {
  name: "pets.example.org",
  addresses: [address],
  checks: [
    {
      id: "wildcard",
      state: "failed",
      code: "no_record",
      subject: "*.pets.example.org",
      observed: null,
      expected: address,
      fix: `Add an A record for *.pets.example.org with the value ${address}.`,
    },
  ],
  records: [
    { type: "A", name: "*.pets.example.org", value: address, ttl: 3_600, check: "wildcard" },
  ],
  configuration: [
    { name: "base-domain", environment: "PETSTORE_BASE_DOMAIN", value: "pets.example.org" },
  ],
};

export const sampleShelterExample: unknown = {
  account: {
    id: "acc_8fJ2kQ0aZx1B",
    name: "Sample shelter",
    plan: "pro",
    limits: planLimits.pro,
    createdAt: "2026-11-20T09:30:00.000Z",
  },
  project: {
    id: "prj_8fJ2kQ0aZx1B",
    accountId: "acc_8fJ2kQ0aZx1B",
    slug: "brave-otter-1f2e",
    name: "Sample shelter",
    filter: { categoryIds: [], statuses: ["available", "pending"] },
    theme: {},
    version: 1,
    createdAt: "2026-11-20T09:30:00.000Z",
    updatedAt: "2026-11-20T09:30:00.000Z",
    url: "https://brave-otter-1f2e.pets.example.org",
  },
};
