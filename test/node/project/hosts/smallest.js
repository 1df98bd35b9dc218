import { createPetstore } from "petstore";
import { memoryStore } from "petstore/stores/memory";

const petstore = createPetstore({ store: memoryStore() });
const account = await petstore.client.accounts.create({ name: "Shelter" });
const { value } = await petstore.client.keys.create({ accountId: account.value.id });
const answer = await petstore.fetch(
  new Request("http://localhost/v1/pets", {
    method: "POST",
    headers: { authorization: `Bearer ${value.token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada", categoryId: 1 }),
  }),
);
console.log(answer.status);
