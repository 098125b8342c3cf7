import { Option } from 'commander';
import { holdFilters } from '../../../domain/states.ts';

/** Of commands that mean payments by what holds them. */
export function heldByOption(): Option {
  return new Option(
    '--held-by <hold>',
    'on hold for this; any: for either; none: only those that nothing holds',
  ).choices(holdFilters);
}
