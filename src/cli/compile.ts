import { keepCompiled } from '../compile-cache.ts';

/**
 * Loads the service and the command line and runs neither, so that what Node makes of them is kept:
 * a start that may write nothing, as in an image, finds it there. Node writes it as this ends.
 */
keepCompiled();
await Promise.all([
  import('../app.ts'),
  import('../config.ts'),
  import('pino'),
  import('./program.ts'),
  import('../store/migrate.ts'),
]);
