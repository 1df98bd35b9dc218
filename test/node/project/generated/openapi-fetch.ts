import createClient from "openapi-fetch";

import type { paths as Management } from "./manage.js";
import type { components, paths } from "./public.js";

const [, , base = "", apiKey = "", token = "", account = ""] = process.argv;
type ErrorBody = components["schemas"]["Error"];
const fail = (error: ErrorBody | undefined): never => {
  throw new Error(error?.message);
};

const pets = createClient<paths>({
  baseUrl: `${base}/v1`,
  headers: { authorization: `Bearer ${apiKey}` },
});
const made = await pets.POST("/pets", { body: { name: "Rex", categoryId: 1 } });
const { id } = made.data ?? fail(made.error);
const updated = await pets.PATCH("/pets/{petId}", {
  params: {
    path: { petId: id },
    header: { "If-Match": made.response.headers.get("etag") ?? "" },
  },
  body: { status: "pending" },
});
const { status } = updated.data ?? fail(updated.error);
const list = await pets.GET("/pets", {
  params: { query: { status: "pending", id: [id], include: "profile" } },
});
const names = (list.data ?? fail(list.error)).map(({ name }) => name);
const refused = await pets.POST("/pets", { body: { name: "", categoryId: 1 } });
const code: ErrorBody["code"] | undefined = refused.error?.code;

const management = createClient<Management>({
  baseUrl: `${base}/manage/v1`,
  headers: { authorization: `Bearer ${token}` },
});
const path = { account, environment: "production" } as const;
const managed = await management.GET("/accounts/{account}/{environment}/pets", {
  params: { path },
});
const animals = managed.data?.map(({ name }) => name);
const absent = await management.GET("/accounts/{account}", {
  params: { path: { account: "acc_none" } },
});
console.log(JSON.stringify({ status, names, code, animals, absent: absent.error?.code }));
