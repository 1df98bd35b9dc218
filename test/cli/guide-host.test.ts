import { expect, test } from "bun:test";

import { guideHost } from "../../server/listeners/front.ts";

const laptop = {
  servers: { production: "http://localhost:8080/v1", staging: "http://localhost:8081/v1" },
  address: "http://localhost:8080",
  anyName: true,
};
const dns = {
  servers: {
    production: "https://pets.example.org/v1",
    staging: "https://staging.pets.example.org/v1",
  },
  address: "https://pets.example.org",
  anyName: false,
};

test("on the base domain the reference links to the help and the dashboard", () => {
  expect(guideHost(dns, "base", "https://pets.example.org")).toEqual({
    origin: "https://pets.example.org",
    production: "https://pets.example.org/v1",
    staging: "https://staging.pets.example.org/v1",
    help: "",
    dashboard: true,
  });
});

test("on the Staging host the reference uses that host for Staging", () => {
  expect(guideHost(dns, "staging", "https://staging.pets.example.org")).toEqual({
    origin: "https://staging.pets.example.org",
    production: "https://pets.example.org/v1",
    staging: "https://staging.pets.example.org/v1",
    help: "https://pets.example.org",
    dashboard: false,
  });
});

test("on a custom domain the reference calls the project's API at that domain", () => {
  expect(guideHost(dns, "project", "https://pets.shelter.org")).toEqual({
    origin: "https://pets.shelter.org",
    production: "https://pets.shelter.org/v1",
    staging: "https://staging.pets.example.org/v1",
    help: "https://pets.example.org",
    dashboard: false,
  });
});

test.each([
  ["http://192.0.2.7:8080", "http://192.0.2.7:8081/v1"],
  ["http://[2001:db8::7]:8080", "http://[2001:db8::7]:8081/v1"],
  ["http://localhost:8080", "http://localhost:8081/v1"],
])("on a laptop reached at %s, Staging is at %s", (origin, staging) => {
  expect(guideHost(laptop, "base", origin)).toMatchObject({
    production: `${origin}/v1`,
    staging,
  });
});

test("on the port of Staging, Production has the same host name", () => {
  expect(guideHost(laptop, "staging", "http://192.0.2.7:8081")).toMatchObject({
    production: "http://192.0.2.7:8080/v1",
    staging: "http://192.0.2.7:8081/v1",
    help: "http://192.0.2.7:8080",
  });
});

test.each([
  undefined,
  "http://evil;script-src *",
  'http://a"><script>',
  "http://a b",
  `http://${"a".repeat(301)}`,
])("a host that is not valid in an address is replaced: %p", (origin) => {
  expect(guideHost(laptop, "base", origin).origin).toBe("http://localhost:8080");
});
