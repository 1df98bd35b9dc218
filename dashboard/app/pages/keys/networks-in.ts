import { MAX_NETWORKS, normalNetwork } from "../../../../lib/model/network.ts";

/** What was typed into the field of networks. */
export interface TypedNetworks {
  readonly networks: readonly string[];
  /** Why they will not do. */
  readonly fault: NetworksFault | undefined;
}

export type NetworksFault =
  | { readonly kind: "wrong"; readonly text: string }
  | { readonly kind: "too-many"; readonly most: number };

/** Networks as people write them: one in each line, or between commas and spaces. */
export function networksIn(text: string): TypedNetworks {
  const networks = text.split(/[\s,;]+/).filter((part) => part !== "");
  const wrong = networks.find((network) => normalNetwork(network) === undefined);
  if (wrong !== undefined) return { networks, fault: { kind: "wrong", text: wrong } };
  if (networks.length > MAX_NETWORKS) {
    return { networks, fault: { kind: "too-many", most: MAX_NETWORKS } };
  }
  return { networks, fault: undefined };
}
