import { platformFacts } from '../platform-facts.ts';
import type { PspFacts } from '../psp-facts.ts';

export const recurlyFacts = { ...platformFacts, name: 'Recurly' } satisfies PspFacts;
