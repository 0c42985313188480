import Foundation

/// `longhand completions`: scripts with which shells complete command lines, and the answers to these scripts.
struct CompletionsCommand: Verb {
  private static let list = Option(
    "--list", summary: "print what can follow the words after --; the scripts use this")

  static let description = VerbDescription(
    name: "completions",
    summary: "Print a script that lets a shell complete commands",
    operands: "bash | zsh | fish",
    discussion: """
      The shell then completes verbs, options, formats, files, and the names of
      sessions, models and vocabularies. Packages of longhand install the scripts.
      """,
    options: [list],
    examples: [
      .init(purpose: "Turn on completion in this bash", command: #"eval "$(longhand completions bash)""#),
      .init(
        purpose: "Turn on completion in fish",
        command: "longhand completions fish > ~/.config/fish/completions/longhand.fish"),
    ])

  private enum Work {
    case script(String)
    case list([String])
  }

  private let work: Work

  init(_ arguments: ParsedArguments) throws {
    guard !arguments.has(Self.list) else {
      work = .list(arguments.operands)
      return
    }
    let shell = try arguments.operands(named: ["SHELL"])[0]
    guard let script = Self.scripts[shell] else {
      throw Failure.usage("There are no completions for '\(shell)'.", hint: "Use one of: bash, zsh, fish")
    }
    work = .script(script)
  }

  func run(_ console: Console) async throws -> Int32 {
    switch work {
    case .script(let script): try console.output.write(script)
    case .list(let words):
      let completion = Completion(of: words)
      let lines = completion.candidates.map { $0.note.isEmpty ? $0.text : "\($0.text)\t\($0.note)" }
      let all = lines + (completion.files.map { [":\($0.rawValue)"] } ?? [])
      try console.output.write(all.map { $0 + "\n" }.joined())
    }
    return ExitStatus.done
  }

  /// Each script asks the program that is completed. A line is a word and, after a tab, a note about it; `:files` and
  /// `:folders` mean what the shell completes itself.
  private static let scripts = [
    "bash": #"""
    # Completes words of longhand in bash.
    _longhand() {
      local word line words=("${COMP_WORDS[@]:1:COMP_CWORD}")
      word=${COMP_WORDS[COMP_CWORD]//\\/}
      [[ $word == = ]] && word=
      words[COMP_CWORD-1]=${words[COMP_CWORD-1]//\\/}
      COMPREPLY=()
      while IFS= read -r line; do
        case $line in
          :files) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word") ;;
          :folders) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$word") ;;
          *) COMPREPLY+=("$(printf %q "${line%%$'\t'*}")") ;;
        esac
      done < <("${COMP_WORDS[0]}" completions --list -- "${words[@]}" 2>/dev/null)
    }
    complete -F _longhand longhand

    """#,
    "zsh": #"""
    #compdef longhand
    # Completes words of longhand in zsh.
    _longhand() {
      local line
      local -a found files
      for line in "${(@f)$("$words[1]" completions --list -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
          '') ;;
          :files) files=(_files) ;;
          :folders) files=(_path_files -/) ;;
          *) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        esac
      done
      (( $#found )) && _describe -V longhand found
      (( $#files )) && compset -P '--*=' ; (( $#files )) && $files
    }
    if [[ $funcstack[1] == _longhand ]]; then _longhand "$@"; else compdef _longhand longhand; fi

    """#,
    "fish": #"""
    # Completes words of longhand in fish.
    function __longhand_complete
      set -l words (commandline -opc)
      set -l word (commandline -ct)
      for line in ($words[1] completions --list -- $words[2..-1] "$word" 2>/dev/null)
        switch $line
          case :files
            __fish_complete_path $word
          case :folders
            __fish_complete_directories $word
          case '*'
            echo $line
        end
      end
    end
    complete -c longhand -f -a '(__longhand_complete)'

    """#,
  ]
}
