import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Beside the packages whose code it holds, so that whoever may write it could change them as well.
 * Node's own default, a fixed name in the folder for temporary files, is open to every user of the
 * machine, and what lies there would be run.
 */
const folder = join(import.meta.dirname, '..', 'node_modules', '.cache', 'recoup');

/**
 * Has Node keep what it compiles from here on, and take it from there at the next start. Node tells
 * by their content whether files have changed. Where the folder cannot be written, nothing is kept;
 * `NODE_COMPILE_CACHE` names another, and `NODE_DISABLE_COMPILE_CACHE=1` does without.
 */
export function keepCompiled(): void {
  enableCompileCache(folder);
}
