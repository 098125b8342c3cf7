import { pspNames } from '../api/generated/psp-names.ts';

/** A processor as people write it, within a sentence; one that this page does not know by its id. */
export function pspName(psp: string): string {
  return pspNames[psp] ?? psp;
}

/** The same where it stands alone or begins a sentence. */
export function pspTitle(psp: string): string {
  const name = pspName(psp);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
