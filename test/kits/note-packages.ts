import { registerHooks } from 'node:module';
import { isMainThread, threadId } from 'node:worker_threads';

const noted = new Set<string>();

/** Loaded before a service (`node --import`): says on standard error which packages it loads, each once. */
registerHooks({
  load(url, context, next) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
    if (name !== undefined && !noted.has(name)) {
      noted.add(name);
      process.stderr.write(`package ${name}${isMainThread ? '' : ` in thread ${threadId}`}\n`);
    }
    return next(url, context);
  },
});
