import { fetchHandler } from "petstore/fetch";
import { openService } from "petstore-host-kit";

const handle = fetchHandler(() => openService(), {
  prefix: "/of/:city",
  address: (_, event) => event.getClientAddress(),
});
export const fallback = (event) => handle(event.request, event);
export const trailingSlash = "ignore";
