/** Something that is counted: for metrics. All texts are from closed sets, or name an issuer of the options. */
export type Observation =
  | {
      readonly kind: "order_ended";
      /** Id of the issuer. */
      readonly issuer: string;
      /** `issued`, or the code of the failure. */
      readonly outcome: string;
    }
  | {
      readonly kind: "dns_checked";
      /** Codes of what was found. */
      readonly findings: readonly string[];
    };

export type Observe = (observation: Observation) => void;
