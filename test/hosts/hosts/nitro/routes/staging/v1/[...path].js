import { fetchHandler } from "petstore/fetch";
import { stagingOf } from "petstore-host-kit/recipe";

const handle = fetchHandler(stagingOf("/api"), {
  prefix: "/staging",
  address: (request) => request.ip,
});
export default (event) => handle(event.req);
