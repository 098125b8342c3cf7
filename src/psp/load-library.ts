import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * A processor's own library, by the name or file that it is required by; loaded at the first call. A
 * service has connections to few processors, and the libraries of all were a third of the modules that
 * a start loaded. An adapter asks for its own when it connects an account: after the start, and before
 * anything is sent, so that one that is missing or broken is known by then. That holds the process up
 * for a tenth of a second, once; `import()` would do so too, and make every connection wait for it.
 */
export function loadLibrary(name: string): unknown {
  return load(name);
}
