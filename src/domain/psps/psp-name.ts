import { type Psp, pspFacts, psps } from '../psps.ts';

/** A processor as people write it, within a sentence; one that is not known here by its id. */
export function pspName(psp: string): string {
  return isPsp(psp) ? pspFacts[psp].name : psp;
}

/** The same where it stands alone or begins a sentence. */
export function pspTitle(psp: string): string {
  const name = pspName(psp);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function isPsp(psp: string): psp is Psp {
  return (psps as readonly string[]).includes(psp);
}
