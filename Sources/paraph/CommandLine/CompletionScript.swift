/// The completions of a shell, with what the library's script lacks: what follows `exec --` is completed as the
/// command's own.
struct CompletionScript {
    let text: String

    /// - Parameter script: The script that the library generates.
    init(_ script: String) {
        if script.hasPrefix("#!/bin/bash") {
            text = script + Self.bash
        } else if script.hasPrefix("#compdef") {
            text = script.replacing("'*:command:'", with: "'*:: :_normal'")
                .replacing("_paraph_exec() {\n", with: "_paraph_exec() {\n" + Self.zsh)
        } else {
            text = script + Self.fish
        }
    }

    /// The completions of the command itself where the package bash-completion is, otherwise commands and files.
    private static let bash = """

        _paraph_or_command() {
            local -i index
            if [[ "${COMP_WORDS[1]}" = exec ]]; then
                for ((index = 2; index < COMP_CWORD; index++)); do
                    [[ "${COMP_WORDS[index]}" = -- ]] || continue
                    if declare -F _command_offset >/dev/null; then
                        _command_offset "$((index + 1))"
                    elif ((index + 1 == COMP_CWORD)); then
                        mapfile -t COMPREPLY < <(compgen -c -- "${2}" | sort -u)
                    else
                        mapfile -t COMPREPLY < <(compgen -f -- "${2}")
                    fi
                    return
                done
            fi
            _paraph "${@}"
        }

        complete -o filenames -F _paraph_or_command paraph

        """

    /// `_arguments` would take the options of a command that follows `--` for those of exec.
    private static let zsh = """
            local -i place="${command_line[(i)--]}"
            if [[ "${place}" -le "${current_word_index}" ]]; then
                words=("${(@)command_line[place + 1,-1]}")
                CURRENT=$((current_word_index + 1 - place))
                _normal
                return
            fi

        """

    private static let fish = """

        function __paraph_command
            set -l tokens (commandline -opc)
            test "$tokens[2]" = exec; or return 1
            set -l place (contains -i -- -- $tokens); or return 1
            echo -- (string join ' ' -- (string escape -- $tokens[(math $place + 1)..]) (commandline -ct))
        end

        complete -c 'paraph' -n '__paraph_command >/dev/null' -fa '(complete -C (__paraph_command))'

        """
}
