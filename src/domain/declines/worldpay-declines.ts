import type { PspDeclines } from './psp-decline-rows.ts';

export const worldpayDeclines: PspDeclines = { source: '', codes: {} };
