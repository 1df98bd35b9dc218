import { fetchHandler } from "petstore/fetch";
import { clientAddress } from "petstore/node";
import { stagingOf } from "petstore-host-kit/recipe";

const handle = fetchHandler(stagingOf("/api"), {
  prefix: "/staging",
  address: clientAddress(),
});
export {
  handle as GET,
  handle as HEAD,
  handle as POST,
  handle as PUT,
  handle as PATCH,
  handle as DELETE,
  handle as OPTIONS,
};
