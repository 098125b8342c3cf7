import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** The parts of Babel's path that are asked. */
interface CallPath {
  readonly node: {
    readonly type: string;
    readonly callee?: {
      readonly type: string;
      readonly name?: string;
      readonly object?: { readonly name?: string; readonly property?: { readonly name?: string } };
    };
  };
}

/**
 * Calls in which no mutant is planted. What a log line says is for people, and no promise; an
 * invariant never fails, so that nothing is seen of a change that makes it hold more often.
 */
function reasonOf(path: object): string | undefined {
  const { node } = path as CallPath;
  if (node.type !== 'CallExpression') return undefined;
  const { callee } = node;
  if (callee?.name === 'invariant') return 'an assertion of what always holds';
  const owner = callee?.object?.property?.name ?? callee?.object?.name;
  return owner === 'log' ? 'a log line' : undefined;
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'not-promised', { shouldIgnore: reasonOf }),
];
