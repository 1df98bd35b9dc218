import type { Script } from "../../lib/sql/script.ts";
import type { DomainRefusal } from "../ports/domain-change.ts";

/** The steps of one commit, each with what it is refused with. */
export type DomainScript = Script<DomainRefusal>;
