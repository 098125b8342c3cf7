export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What may be typed after a command, which is given by its words. */
export interface CommandNames {
  readonly path: readonly string[];
  readonly words: readonly { readonly word: string; readonly about: string }[];
}

/** The script by which a shell completes `recoup`: every word is in it, so that Tab asks nobody. */
export function completionScript(shell: Shell, commands: readonly CommandNames[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(commands);
    case 'zsh':
      return `#compdef recoup\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`;
    case 'fish':
      return fishScript(commands);
  }
}

function bashScript(commands: readonly CommandNames[]): string {
  const cases = commands.map(
    ({ path, words }) => `    ${quoted(path.join(' '))}) words=${quoted(listOf(words))} ;;`,
  );
  return `_recoup() {
  local path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && continue
    case " $(_recoup_words "$path") " in
      *" $word "*) path="\${path:+$path }$word" ;;
    esac
  done
  COMPREPLY=($(compgen -W "$(_recoup_words "$path")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
_recoup_words() {
  local words=''
  case "$1" in
${cases.join('\n')}
  esac
  printf '%s' "$words"
}
complete -o default -F _recoup recoup`;
}

function fishScript(commands: readonly CommandNames[]): string {
  const lines = commands.flatMap(({ path, words }) => {
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
    const below = words.map(({ word }) => word).filter((word) => !word.startsWith('-'));
    const own = below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${below.join(' ')}`];
    const when = [...seen, ...own].join('; and ');
    const condition = when === '' ? '' : ` -n ${quoted(when)}`;
    return words.map(({ word, about }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c recoup${condition} ${what} -d ${quoted(about)}`;
    });
  });
  return lines.join('\n');
}

function listOf(words: CommandNames['words']): string {
  return words.map(({ word }) => word).join(' ');
}

/** A word of a POSIX shell; fish reads it the same. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
