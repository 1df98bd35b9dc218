import { endpoint } from "../endpoint.ts";
import { inEnvironment } from "../in-catalogue.ts";
import { limitsShape } from "../schemas/limits.ts";

export const limitEndpoints = [
  endpoint({
    operationId: "getLimits",
    method: "GET",
    path: "/accounts/:account/:environment/limits",
    tag: "usage",
    access: "account",
    role: "viewer",
    summary: "Look at the limits of the API keys",
    description:
      "What is left of the minute and of the day, what each key that works has spent, and which are banned. Costs " +
      "nothing of them.",
    success: {
      status: 200,
      description: "How things stand now.",
      schema: limitsShape,
      example: {
        countBy: "catalogue",
        windows: [
          { name: "minute", limit: 60, remaining: 18, resetAt: "2026-11-20T09:30:41.000Z" },
          { name: "day", limit: 1_000, remaining: 204, resetAt: "2026-11-21T06:12:03.000Z" },
        ],
        keys: [
          {
            id: "8fJ2kQ0aZx",
            used: { minute: 42, day: 796 },
            ban: {
              bannedAt: "2026-11-20T09:30:00.000Z",
              until: "2026-11-20T09:31:00.000Z",
              level: 1,
            },
          },
        ],
      },
    },
    refusals: ["not_found"],
    run: (call, { client }) => inEnvironment(call, (where) => client.limits.read(where)),
  }),
];
