# Types words into a shell, presses tab, and waits for what it makes of them: type.zsh SHELL FOLDER WORDS EXPECTED.
# FOLDER has the completion script, _telecap or telecap.fish. It waits for as long as its caller lets it.
zmodload zsh/zpty
export TERM=xterm
case $1 in
zsh)
  zpty shell zsh -f -i
  zpty -w shell "PS1=; fpath=($2 \$fpath); autoload -U compinit; compinit -u -D; print BEGIN''NING"
  ;;
fish)
  zpty shell fish --no-config -i
  zpty -w shell "source $2/telecap.fish; echo BEGIN''NING"
  ;;
esac
line=
zpty -r shell line '*BEGINNING*' || exit 1
zpty -w -n shell "$3"$'\t'
zpty -r shell line "*$4*"
