import { expect, it } from 'vitest';
import { isTimeZone } from '../../../src/domain/places/time-zone.ts';

it('a zone is one of the IANA database', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
