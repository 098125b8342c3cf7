import { AppError } from '../../domain/errors.ts';
import type { SandboxApi } from '../../recovery/sandbox-api.ts';
import type { OperatorDeps } from '../operator-deps.ts';

/** What the sandbox can do. Throws AppError sandbox_only where there is none. */
export function sandboxOf(deps: OperatorDeps): SandboxApi {
  if (deps.sandbox === undefined) throw new AppError('sandbox_only');
  return deps.sandbox;
}
