import { client as pets } from "./hey-public/client.gen.js";
import { createPet, listPets, updatePet } from "./hey-public/sdk.gen.js";
import { client as management } from "./hey-manage/client.gen.js";
import { getAccount, listAnimals } from "./hey-manage/sdk.gen.js";

const [, , base = "", apiKey = "", token = "", account = ""] = process.argv;
pets.setConfig({ baseUrl: `${base}/v1`, auth: apiKey });
management.setConfig({ baseUrl: `${base}/manage/v1`, auth: token });

const made = await createPet({ body: { name: "Rex", categoryId: 1 }, throwOnError: true });
const { id } = made.data;
const updated = await updatePet({
  path: { petId: id },
  headers: { "If-Match": made.response?.headers.get("etag") ?? "" },
  body: { status: "pending" },
  throwOnError: true,
});
const { status } = updated.data;
const list = await listPets({
  query: { status: "pending", id: [id], include: "profile" },
  throwOnError: true,
});
const names = list.data.map(({ name }) => name);
const refused = await createPet({ body: { name: "", categoryId: 1 } });
const code = refused.error?.code;

const path = { account, environment: "production" } as const;
const animals = (await listAnimals({ path })).data?.map(({ name }) => name);
const absent = await getAccount({ path: { account: "acc_none" } });
console.log(JSON.stringify({ status, names, code, animals, absent: absent.error?.code }));
