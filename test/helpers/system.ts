import type { System } from "../../lib/management/system.ts";

/** A `System` with constant results. */
export const quietSystem: System = {
  report: async () => ({
    version: "1.0.0",
    startedAt: 1_794_960_000_000,
    baseDomain: "localhost",
    address: "http://localhost:8080",
    checks: [
      {
        id: "clock",
        title: "Clock",
        state: "warning",
        code: "clock_right",
        data: { shownAt: 1_794_960_000_000 },
        message: "It is late",
        fix: "Go to bed.",
      },
    ],
    settings: [{ name: "base-domain", value: "localhost", origin: "default" }],
  }),
  baseDomain: async (name = "localhost") => ({
    ok: true,
    value: { name, addresses: [], checks: [], records: [], configuration: [] },
  }),
  nodes: async () => [
    {
      id: "node",
      name: "pets-1",
      version: "1.0.0",
      state: "active",
      startedAt: 1_794_960_000_000,
      seenAt: 1_794_960_000_000,
      addresses: [],
      lagMs: 0,
      databaseMs: 0,
      clockAheadMs: 0,
      limitsIn: "postgres",
      redis: "off",
    },
  ],
  testMail: async () => ({
    ok: true,
    value: { outcome: "sent", fault: null, code: null, said: null },
  }),
  sampleShelter: async () => ({
    ok: true,
    value: {
      account: {
        id: "acc_Sample000001",
        name: "Sample shelter",
        plan: "pro",
        limits: { perMinute: 300, perDay: 10_000 },
        createdAt: 1_794_960_000_000,
      },
      project: {
        id: "prj_Sample000001",
        accountId: "acc_Sample000001",
        slug: "sample-shelter",
        name: "Sample shelter",
        filter: { categoryIds: [], statuses: ["available", "pending"] },
        theme: {},
        version: 1,
        createdAt: 1_794_960_000_000,
        updatedAt: 1_794_960_000_000,
        url: "https://sample-shelter.petstore.test",
      },
    },
  }),
};
