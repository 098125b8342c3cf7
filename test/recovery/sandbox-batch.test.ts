import { expect, it } from 'vitest';
import { invoiceIdsOf, invoiceIdsOfAny } from '../../src/recovery/sandbox-batch.ts';

it('the invoices of a batch have its name and their places', () => {
  expect(invoiceIdsOf({ batch: '0a1b2c3d', count: 2 })).toEqual([
    'inv_sim_0a1b2c3d_1',
    'inv_sim_0a1b2c3d_2',
  ]);
  expect(invoiceIdsOfAny('0a1b2c3d')).toContain('inv_sim_0a1b2c3d_1');
});

it.each(['', '0a1b2c3', '0a1b2c3d4', '0A1B2C3D', '../../..'])('%j names no batch', (batch) => {
  expect(invoiceIdsOfAny(batch)).toEqual([]);
});
