import { Option } from 'commander';
import { holdFilters } from '../../../domain/states.ts';

/** Of commands that mean payments by what holds them. */
export function heldByOption(): Option {
  return new Option(
    '--held-by <hold>',
    'only payments on hold for this; any: for either reason; none: not on hold',
  ).choices(holdFilters);
}
