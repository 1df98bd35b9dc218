import { fetchHandler } from "petstore/fetch";
import { stagingOf } from "petstore-host-kit/recipe";

const handle = fetchHandler(stagingOf("/api"), {
  prefix: "/staging",
  address: (_, event) => event.getClientAddress(),
});
export const fallback = (event) => handle(event.request, event);
export const trailingSlash = "ignore";
