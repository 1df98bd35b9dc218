import type { Script } from "../../sql/script.ts";
import type { MemberChange, MemberRefusal } from "../member-store.ts";

/** The change of that kind. */
export type Of<Kind extends MemberChange["kind"]> = Extract<MemberChange, { kind: Kind }>;

/** The steps of one commit, each with what it is refused with. */
export type MemberScript = Script<MemberRefusal>;
