import { ExpressAdapter } from "@nestjs/platform-express";

import { expressHandler } from "petstore/express";
import { openService } from "petstore-host-kit";
import { stagingOf } from "petstore-host-kit/recipe";

/** An application of its own, because the setting is one of the application. */
const behindProxy = new ExpressAdapter().getInstance();
behindProxy.set("trust proxy", 1).use(expressHandler(await openService()));
const parameter = await openService();

export function addMounts(app) {
  app
    .use("/proxied", behindProxy)
    .use("/of/:city", expressHandler(parameter))
    .use("/staging", expressHandler(stagingOf("/shelter")));
}
