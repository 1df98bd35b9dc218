import { fetchHandler } from "petstore/fetch";
import { clientAddress } from "petstore/node";
import { stagingOf } from "petstore-host-kit/recipe";

const handle = fetchHandler(stagingOf("/api"), {
  prefix: "/staging",
  address: clientAddress(),
});
export const loader = ({ request }) => handle(request);
export const action = loader;
