import { fetchHandler } from "petstore/fetch";
import { openService } from "petstore-host-kit";

const handle = fetchHandler(() => openService(), {
  prefix: "/of/:city",
  address: (request) => request.ip,
});
export default (event) => handle(event.req);
