/** The scripts that complete a program's commands, options and choices in bash, zsh and fish. Pure. */

export interface CompletedCommand {
  /** The words that name it; none for the program itself. */
  path: readonly string[];
  about: string;
  commands: readonly { name: string; about: string }[];
  options: readonly CompletedOption[];
  /** What its argument may be, where that is known. */
  words: readonly string[];
}

export interface CompletedOption {
  /** The long one first: `--limit`, `-n`. */
  names: readonly string[];
  about: string;
  takesValue: boolean;
  isFolder: boolean;
  /** Takes one value after another. */
  repeats: boolean;
  choices: readonly string[];
}

/** Where memd knows of no word, the shell completes names of files. */
export function bashScript(program: string, commands: readonly CompletedCommand[]): string {
  const cases = commands.map(
    (command) =>
      `    ${quoted(placeOf(command))}) words=${quoted(wordsOf(command))}; options=${quoted(flagsOf(command))} ;;`,
  );
  return `# Completion of ${program} for bash: source <(${program} completion bash)
_${program}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}"
  local place="" flag="" words="" options="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$place/\${COMP_WORDS[i]}" in
      ${placesOf(commands)}) place="$place/\${COMP_WORDS[i]}" ;;
      */-*) flag="\${COMP_WORDS[i]}" ;;
    esac
  done
  if [[ $current != -* ]]; then
${valueCases(commands, "before", "flag", (words) => `COMPREPLY=($(compgen -W ${quoted(words)} -- "$current"))`, 'COMPREPLY=($(compgen -d -- "$current"))')}
  fi
  case "$place" in
${cases.join("\n")}
  esac
  [[ $current == -* ]] && words="$options"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${program} ${program}
`;
}

export function zshScript(program: string, commands: readonly CompletedCommand[]): string {
  const listed = (entries: readonly (readonly [string, string])[]): string =>
    entries.map(([name, about]) => quoted(`${name.replaceAll(":", "\\:")}:${about}`)).join(" ");
  const cases = commands.map(({ commands: below, options, words, ...command }) => {
    const known = [
      ...below.map(({ name, about }) => [name, about] as const),
      ...words.map((word) => [word, ""] as const),
    ];
    const flags = options.flatMap(({ names, about }) => names.map((name) => [name, about] as const));
    return `    ${quoted(placeOf(command))}) known=(${listed(known)}); flags=(${listed(flags)}) ;;`;
  });
  return `#compdef ${program}
# Completion of ${program} for zsh: source <(${program} completion zsh), or a file _${program} in a folder of fpath
_${program}() {
  local place="" flag="" before="\${words[CURRENT - 1]}"
  local -a known flags
  local -i i
  for (( i = 2; i < CURRENT; i++ )); do
    case "$place/\${words[i]}" in
      ${placesOf(commands)}) place="$place/\${words[i]}" ;;
      */-*) flag="\${words[i]}" ;;
    esac
  done
  if [[ $PREFIX != -* ]]; then
${valueCases(commands, "before", "flag", (words) => `compadd -- ${words}`, "_files -/")}
  fi
  case "$place" in
${cases.join("\n")}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option flags
  elif (( $#known )); then
    _describe command known
  else
    _files
  fi
}
if [[ $funcstack[1] == _${program} ]]; then _${program} "$@"; else compdef _${program} ${program}; fi
`;
}

export function fishScript(program: string, commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap((command) => {
    const when = `-n ${fishQuoted(fishCondition(command))}`;
    const words = [
      ...command.commands.map(({ name, about }) => `-f -a ${fishQuoted(name)} -d ${fishQuoted(about)}`),
      ...command.words.map((word) => `-f -a ${fishQuoted(word)}`),
    ];
    return [...words, ...command.options.map(fishOption)].map(
      (says) => `complete -c ${program} ${when} ${says}`,
    );
  });
  return `# Completion of ${program} for fish: ${program} completion fish | source\n${lines.join("\n")}\n`;
}

/** After the words of its path, and before those of a command below it. */
function fishCondition({ path, commands }: CompletedCommand): string {
  const before = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const below = commands.map(({ name }) => name).join(" ");
  const not = below === "" ? [] : [`not __fish_seen_subcommand_from ${below}`];
  return [...before, ...not].join("; and ");
}

function fishOption({ names, about, takesValue, isFolder, choices }: CompletedOption): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const values =
    choices.length > 0
      ? ` -x -a ${fishQuoted(choices.join(" "))}`
      : isFolder
        ? " -x -a '(__fish_complete_directories)'"
        : takesValue
          ? " -r"
          : "";
  return `${flags.join(" ")} -d ${fishQuoted(about)}${values}`;
}

/** `/queue/list`: where a command stands. */
function placeOf({ path }: Pick<CompletedCommand, "path">): string {
  return path.map((word) => `/${word}`).join("");
}

function placesOf(commands: readonly CompletedCommand[]): string {
  return commands.flatMap((command) => (command.path.length === 0 ? [] : [placeOf(command)])).join(" | ");
}

function wordsOf({ commands, words }: CompletedCommand): string {
  return [...commands.map(({ name }) => name), ...words].join(" ");
}

function flagsOf({ options }: CompletedCommand): string {
  return options.flatMap(({ names }) => names).join(" ");
}

/** What an option takes: of one that repeats also after its first value. */
function valueCases(
  commands: readonly CompletedCommand[],
  before: string,
  flag: string,
  choose: (words: string) => string,
  folders: string,
): string {
  const rows = (isWanted: (option: CompletedOption) => boolean): string[] =>
    commands.flatMap((command) =>
      command.options.filter(isWanted).map((option) => {
        const places = option.names.map((name) => `${placeOf(command)}:${name}`).join(" | ");
        return `      ${places}) ${option.isFolder ? folders : choose(option.choices.join(" "))}; return ;;`;
      }),
    );
  const once = rows(({ isFolder, choices, repeats }) => isFolder || (choices.length > 0 && !repeats));
  const again = rows(({ choices, repeats }) => choices.length > 0 && repeats);
  return [
    `    case "$place:$${before}" in`,
    ...once,
    "    esac",
    `    case "$place:$${flag}" in`,
    ...again,
    "    esac",
  ].join("\n");
}

/** For bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
