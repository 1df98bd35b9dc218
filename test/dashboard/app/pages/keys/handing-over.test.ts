import { expect, test } from "bun:test";

import { curlLine, envFile } from "../../../../../dashboard/app/pages/keys/handing-over.ts";

test("a .env file names the key and where it is used", () => {
  expect(envFile("pet_live_a_b", "https://pets.example.org/v1")).toBe(
    "PETSTORE_API_KEY=pet_live_a_b\nPETSTORE_API_URL=https://pets.example.org/v1\n",
  );
});

test("the line for a terminal quotes the key", () => {
  expect(curlLine("pet_live_a_b", "https://pets.example.org/v1")).toBe(
    "curl -H 'Authorization: Bearer pet_live_a_b' https://pets.example.org/v1/pets",
  );
});
