/// The completion for bash. Bash splits words at colons and equals signs (`COMP_WORDBREAKS`), and replaces only the last piece
/// with a completion. A function around the generated one joins the pieces, and cuts the completions.
public enum BashCompletion {
  /// The generated script with that function around it.
  public static func whole(_ made: String) -> String {
    made.replacing("-F _telecap telecap", with: "-F _telecap_whole telecap") + joining
  }

  private static let joining = #"""

    # The words up to the cursor as they were typed, and offers without what bash leaves standing of the last.
    _telecap_whole() {
        local piece="${2}" rest="${COMP_LINE:0:COMP_POINT}" word trimmed index
        local -a whole=()
        for ((index = 0; index <= COMP_CWORD; index++)); do
            word="${COMP_WORDS[index]}"
            trimmed="${rest#"${rest%%[![:space:]]*}"}"
            ((index == COMP_CWORD)) && word="${trimmed}"
            if ((index > 0)) && [[ "${trimmed}" == "${rest}" ]]; then
                whole[${#whole[@]} - 1]+="${word}"
            else
                whole+=("${word}")
            fi
            rest="${trimmed#"${word}"}"
        done
        local current="${whole[${#whole[@]} - 1]//\\:/:}"
        unset "whole[${#whole[@]} - 1]"
        if [[ "${current}" == --*=* ]]; then
            whole+=("${current%%=*}")
            current="${current#*=}"
        fi
        local -a COMP_WORDS=("${whole[@]}" "${current}")
        local -i COMP_CWORD="${#whole[@]}"
        local COMP_LINE="${COMP_WORDS[*]}"
        local -i COMP_POINT="${#COMP_LINE}"
        _telecap "${1}" "${current}" "${whole[${#whole[@]} - 1]}"
        [[ "${piece}" == [:=] ]] && piece=""
        local standing="" files=false
        [[ "${current}" == *[:=]* ]] && standing="${current%"${piece}"}"
        for index in "${!COMPREPLY[@]}"; do
            [[ -e "${COMPREPLY[index]}" ]] && files=true
            COMPREPLY[index]="${COMPREPLY[index]#"${standing}"}"
        done
        # Only in the names of files has bash to escape a colon.
        "${files}" || compopt +o filenames 2>/dev/null
        return 0
    }

    """#
}
