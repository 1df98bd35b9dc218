import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { Button } from "../../components/button.tsx";
import { download } from "../../components/download.ts";
import { toast } from "../../components/toasts.tsx";
import { said } from "../../words/said.ts";
import { words } from "../../words/words.ts";
import type { Where } from "./catalogue.ts";
import { writePets } from "./write-pets.ts";

/** Hands out all animals of a catalogue as a file. */
export function Export({ where }: { readonly where: Where }): JSX.Element {
  const count = useSignal<number | undefined>(undefined);
  const control = useRef(new AbortController());
  useEffect(
    () => () => {
      control.current.abort();
    },
    [],
  );
  const { animals } = words();
  const write = async (): Promise<void> => {
    const { signal } = control.current;
    count.value = 0;
    const written = await writePets(where, signal, (so) => {
      count.value = so;
    });
    count.value = undefined;
    if (signal.aborted) return;
    if (!written.ok) {
      toast(said(written.failure));
      return;
    }
    const { parts, count: all, formulas } = written.value;
    download(`animals-${where.environment}.csv`, "text/csv", parts);
    toast(animals.exported(all) + (formulas > 0 ? ` ${animals.formulas(formulas)}` : ""));
  };
  return (
    <Button small look="quiet" busy={count.value !== undefined} onClick={() => void write()}>
      {count.value === undefined ? animals.export : animals.exporting(count.value)}
    </Button>
  );
}
