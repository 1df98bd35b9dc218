import type { ComponentType, FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

import { Bones } from "../../components/bones.tsx";
import { hasDomainWords, loadDomainWords } from "../../words/domain-words.ts";
import { language } from "../../words/words.ts";

/** A view that speaks of domains: shown once the words for that are there. They are many, and only needed here. */
export function inDomainWords<Props extends object>(
  View: ComponentType<Props>,
): FunctionComponent<Props> {
  return function InDomainWords(props) {
    const tongue = language();
    const [lost, setLost] = useState<unknown>(undefined);
    useEffect(() => {
      loadDomainWords(tongue).catch(setLost);
    }, [tongue]);
    // As code that cannot be had: the page offers to be loaded again.
    if (lost !== undefined) throw lost;
    return hasDomainWords() ? <View {...props} /> : <Bones lines={8} />;
  };
}
