import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { createProgram } from '../program.ts';

const head = `# The command

Generated from \`src/cli/\` by \`npm run generate\`; do not edit.

\`npm run recoup -- <command>\`, or \`recoup <command>\` where the package is linked. It speaks to the operator API, so it works
from any machine that reaches port 8082.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | refused, failed, or found broken |
| 2 | wrong usage |
| 3 | the service did not answer |

Answers go to standard output, everything else to standard error. \`--json\` prints what the operator API answered;
\`listen --json\` a line for each event. Bars of long work show on a terminal alone.
`;

const columns = 100;

/** docs/cli.md: the help of every command, as it prints it. */
export function renderCliDoc(): string {
  const parts = below(silentProgram()).map(
    ([path, command]) => `## recoup ${path}\n\n\`\`\`\n${helpOf(command)}\n\`\`\`\n`,
  );
  return [head, ...parts].join('\n');
}

/** The whole command, to be looked at and not to be run. */
export function silentProgram(): Command {
  return createProgram(silent);
}

function below(command: Command): readonly (readonly [string, Command])[] {
  return command.commands.map((child) => [child.name(), child] as const);
}

/** The help of a command and of those below it. */
function helpOf(command: Command): string {
  const own = written(command);
  const others = command.commands.map((child) => written(child));
  return [own, ...others].join('\n\n');
}

function written(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => columns,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text.trim();
}

/** The help needs the commands alone; nobody runs them. */
const silent: Cli = {
  open: () => Promise.reject(new Error('no service')),
  listenerPorts: async () => [],
  database: () => undefined,
  environment: () => ({}),
  readFile: async () => '',
  readBytes: async () => new Uint8Array(),
  writeFile: async () => {},
  save: async () => {},
  show: () => {},
  line: () => {},
  note: () => {},
  progress: { show: () => {}, tell: () => {}, end: () => {} },
  now: () => new Date(0),
  newSecret: () => '',
  pause: async () => {},
};
