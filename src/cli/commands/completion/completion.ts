import { Argument, type Command } from 'commander';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { type CommandNames, completionScript, type Shell, shells } from './completion-script.ts';

/** recoup completion */
export function addCompletion(program: Command, cli: Cli): void {
  program
    .command('completion')
    .description('print a shell script that completes the commands and options of recoup')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText(
      'after',
      examples(
        'completion bash > /etc/bash_completion.d/recoup',
        'completion zsh > ~/.zfunc/_recoup      with ~/.zfunc in fpath',
        'completion fish > ~/.config/fish/completions/recoup.fish',
      ),
    )
    .action((shell: Shell, options: ShowOptions) => {
      const script = completionScript(shell, namesOf(program));
      cli.show(options, { shell, script }, () => script);
    });
}

/** What may follow each command: its commands and its options. */
function namesOf(command: Command, path: readonly string[] = []): readonly CommandNames[] {
  const own = {
    path,
    words: [
      ...command.commands.map((child) => ({ word: child.name(), about: child.description() })),
      ...command.options.flatMap(({ long, description, hidden }) =>
        long == null || hidden ? [] : [{ word: long, about: description }],
      ),
    ],
  };
  const below = command.commands.flatMap((child) => namesOf(child, [...path, child.name()]));
  return [own, ...below];
}
