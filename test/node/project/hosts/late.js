import { readdir, readFile, rename } from "node:fs/promises";

import { createPetstore, memoryStore } from "./of-a-page.js";

let logged = 0;
const log = { debug() {}, info() {}, warn() {}, error: () => void logged++ };
const store = memoryStore();
const petstore = createPetstore({ store, log });
const made = await petstore.client.keys.create({});
const send = async (method, body, to = petstore) => {
  const request = new Request("http://localhost/v1/pets", {
    method,
    headers: { authorization: `Bearer ${made.value.token}`, "content-type": "application/json" },
    body,
  });
  return (await to.fetch(request)).status;
};
const pet = JSON.stringify({ name: "Rex", categoryId: 1 });
const change = async () => {
  const headers = { authorization: `Bearer ${made.value.token}`, "if-match": "*" };
  const request = new Request("http://localhost/v1/pets/1", { method: "DELETE", headers });
  return (await petstore.fetch(request)).status;
};
// The first one rejects before the code is loaded that awaits it.
const principals = [
  () => Promise.reject(new Error("no session")),
  () => ({ actor: { id: "kim" } }),
];
let entries = 0;
const watched = createPetstore({
  store,
  log,
  requestLog: { offer: (_account, _status, _at, make) => void (entries += make() ? 1 : 0) },
});

// Takes away the file with the code of each part, which contains this text, and puts it back.
const parts = {
  lists: ["wxyz0123456789-_", () => send("GET")],
  writes: [
    "This idempotency key was used for a request with another body.",
    () => send("POST", pet),
  ],
  conditions: ["If-None-Match matches the current version", change],
  users: [
    "The principal of a request",
    async () => {
      const request = new Request("http://localhost/v1/pets");
      return (await petstore.fetch(request, { principal: principals.shift()() })).status;
    },
  ],
  requestLog: ["inquiry_limit", () => send("GET", undefined, watched)],
};
const answers = {};
for (const [part, [text, ask]] of Object.entries(parts)) {
  const files = [];
  for (const name of await readdir(".")) {
    if (name !== "late.js" && (await readFile(name, "utf8")).includes(text)) files.push(name);
  }
  const [file] = files;
  if (files.length !== 1) throw new Error(`one file of ${part}, not ${files.join(", ")}`);
  logged = 0;
  await rename(file, "away");
  const without = await ask();
  await rename("away", file);
  answers[part] = [without, logged, await ask()];
}
console.log(JSON.stringify({ ...answers, entries }));
