import { fetchHandler } from "petstore/fetch";
import { clientAddress } from "petstore/node";
import { openService } from "petstore-host-kit";

const handle = fetchHandler(() => openService(), {
  prefix: "/of/:city",
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
