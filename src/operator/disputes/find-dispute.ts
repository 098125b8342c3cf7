import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { findDisputeMerchant } from '../../store/disputes/find-dispute-merchant.ts';
import { mustBeHere } from '../merchants/refuse-moved.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { sees } from '../session/permit.ts';
import { ourIdField } from '../shapes.ts';

export const disputePath = Type.Object({ id: ourIdField("The dispute's id.") });
export type DisputePath = Type.Static<typeof disputePath>;

/** @throws AppError not_found */
export async function merchantOfDispute(
  { db, caller }: Pick<OperatorContext, 'db' | 'caller'>,
  { id }: DisputePath,
): Promise<string> {
  const merchantId = await findDisputeMerchant(db, id);
  if (merchantId === undefined || !sees(caller, merchantId)) throw noDispute();
  return merchantId;
}

/** The same of a dispute that is to be changed. @throws AppError not_found, merchant_moved */
export async function merchantOfChanged(
  deps: Pick<OperatorContext, 'db' | 'caller' | 'moveOf'>,
  path: DisputePath,
): Promise<string> {
  const merchantId = await merchantOfDispute(deps, path);
  await mustBeHere(deps, merchantId);
  return merchantId;
}

export function noDispute(): AppError {
  return new AppError('not_found', 'There is no dispute with this id.');
}
