import type { MemberChange, MemberRefusal } from "../member-store.ts";

/** The change of that kind. */
export type Of<Kind extends MemberChange["kind"]> = Extract<MemberChange, { kind: Kind }>;

/** Says which refusal it is when a step yields no row. */
export type Must = (step: number, refusal: MemberRefusal) => void;
