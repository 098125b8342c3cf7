import { pspFacts, psps } from '../../domain/psps.ts';
import type { SourceText } from './sdk-client.ts';

/** The processors as people write them, for the dashboard, which imports nothing of the service. */
export function renderPspNames(): SourceText {
  const names = psps.map((psp) => `  ${psp}: '${pspFacts[psp].name}',`);
  const text = [
    '// Generated from the facts of each processor by npm run generate; do not edit.',
    '',
    '/** A processor by its id, as it stands in a sentence. */',
    'export const pspNames: Readonly<Record<string, string>> = {',
    ...names,
    '};',
    '',
  ];
  return { path: 'psp-names.ts', text: text.join('\n') };
}
