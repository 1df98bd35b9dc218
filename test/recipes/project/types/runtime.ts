import { createPetstore } from "petstore";
import { createClient } from "petstore/client";
import { fetchHandler } from "petstore/fetch";
import { memoryStore } from "petstore/stores/memory";
import "petstore/management";
import "petstore/publishing";

const petstore = createPetstore({ store: memoryStore() });
const handle = fetchHandler(petstore, {
  address: ({ headers }) => headers.get("cf-connecting-ip") ?? undefined,
});
export default {
  fetch: (request: Request) => handle(request),
  scheduled: () => petstore.jobs.tick(),
};
const client = createClient({
  baseUrl: "https://pets.example.org/v1",
  apiKey: "key",
  fetch: (request) => petstore.fetch(request),
});
export const pets: Promise<unknown> = client.pets.list();
