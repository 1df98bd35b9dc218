import { fetchHandler } from "petstore/fetch";
import { stagingOf } from "petstore-host-kit/recipe";

const handle = fetchHandler(stagingOf("/api"), {
  prefix: "/staging",
  address: (_, context) => context.clientAddress,
});
export const ALL = (context) => handle(context.request, context);
