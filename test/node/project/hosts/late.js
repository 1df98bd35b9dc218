import { readdir, readFile, rename } from "node:fs/promises";

import { createPetstore, memoryStore } from "./of-a-page.js";

// Takes away the file with the code of writes, which contains this message, and puts it back.
const MESSAGE = "This idempotency key was used for a request with another body.";
const files = [];
for (const name of await readdir(".")) {
  if (name !== "late.js" && (await readFile(name, "utf8")).includes(MESSAGE)) files.push(name);
}
const [file] = files;
if (files.length !== 1) throw new Error(`one file of writes, not ${files.join(", ")}`);

let logged = 0;
const log = { debug() {}, info() {}, warn() {}, error: () => void logged++ };
const store = memoryStore();
const petstore = createPetstore({ store, log });
const made = await petstore.client.keys.create({});
const send = async (method, body) => {
  const request = new Request("http://localhost/v1/pets", {
    method,
    headers: { authorization: `Bearer ${made.value.token}`, "content-type": "application/json" },
    body,
  });
  return (await petstore.fetch(request)).status;
};
const pet = JSON.stringify({ name: "Rex", categoryId: 1 });

const lists = await send("GET");
await rename(file, "away");
const without = await send("POST", pet);
await rename("away", file);
const restored = await send("POST", pet);
console.log(JSON.stringify({ lists, without, logged, restored }));
