import { flushCompileCache } from 'node:module';
import { keepCompiled } from './compile-cache.ts';

keepCompiled();
// Only what is imported after that is kept.
await import('./run-service.ts');
// Now, since a service that is killed later has no time for it.
flushCompileCache();
