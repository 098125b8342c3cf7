import { expect, it } from 'vitest';
import { appliedFields } from '../../src/app/connect-database.ts';

it('the log names the migrations of an upgrade, and counts those of a new database', () => {
  const upgrade = ['0235_replays_in_archive.sql', '0236_old_answers.sql'];
  expect(appliedFields(upgrade)).toEqual({ applied: upgrade });
  expect(appliedFields(['0001_merchants.sql', ...upgrade])).toEqual({
    applied: 3,
    last: '0236_old_answers.sql',
  });
});
