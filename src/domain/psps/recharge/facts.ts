import { platformFacts } from '../platform-facts.ts';
import type { PspFacts } from '../psp-facts.ts';

export const rechargeFacts = { ...platformFacts, name: 'Recharge' } satisfies PspFacts;
