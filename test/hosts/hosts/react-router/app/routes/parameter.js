import { fetchHandler } from "petstore/fetch";
import { clientAddress } from "petstore/node";
import { openService } from "petstore-host-kit";

const handle = fetchHandler(() => openService(), {
  prefix: "/of/:city",
  address: clientAddress(),
});
export const loader = ({ request }) => handle(request);
export const action = loader;
