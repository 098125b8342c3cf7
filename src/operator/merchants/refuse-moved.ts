import { AppError } from '../../domain/errors.ts';
import { isRead } from '../../http/bounds/work-in-lane.ts';
import type { Stage } from '../../http/endpoint/exchange.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import type { OperatorCaller } from '../session/authorize.ts';

const isId = /^\w{1,64}$/;

/**
 * What changes a merchant of another cell is refused before anything is done: what is here are copies. Their fence
 * would refuse most of it too, in the words of a move that soon ends, but not what is removed, nor calls to the
 * merchant's servers.
 *
 * @throws AppError merchant_moved
 */
export function refuseMoved({ moveOf }: Pick<OperatorDeps, 'moveOf'>): Stage<OperatorCaller> {
  return async ({ endpoint, request }, next) => {
    if (isRead(request) || endpoint.needs?.reach !== 'path') return next();
    const { id = '' } = request.params as { readonly id?: string };
    // What can be no id is for the endpoint to refuse.
    if (isId.test(id)) await mustBeHere({ moveOf }, id);
    return next();
  };
}

/** For an endpoint whose body, or what it reads, says whose it is. @throws AppError merchant_moved */
export async function mustBeHere(
  { moveOf }: Pick<OperatorDeps, 'moveOf'>,
  merchantId: string,
): Promise<void> {
  const move = await moveOf(merchantId);
  if (move?.state !== 'moved') return;
  throw new AppError('merchant_moved', `It has moved to ${move.toCell ?? 'another cell'}.`);
}
