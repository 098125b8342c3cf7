import { packedTables } from '../../../store/archive/packed-rows.ts';
import type { Planted } from '../planted.ts';

const names = new Set(packedTables.map((table) => `restore_${table}`));

export const forgottenWhenPutBack: Planted = {
  name: 'forgotten-when-put-back',
  what: 'a packed payment is put back without its events',
  statement({ name = '', text }) {
    return names.has(name) ? `${text} where false` : undefined;
  },
};
