// The names of the shell's commands: those listed by `ls /usr/bin` and the built-in ones.

const FILES = `alias awk base32 base64 basename bash cat chmod cksum clear cmp column comm cp csplit cut date dd diff
dirname du echo egrep env envsubst expand expr factor false fgrep file find fold gawk grep gunzip gzip hd head help
hexdump history hostname id join jq ln ls mawk md5sum mkdir mktemp mv nl node nohup nproc od paste printenv printf pwd
python python3 readlink realpath rev rg rm rmdir sed seq sh sha1sum sha224sum sha256sum sha384sum sha512sum shuf sleep
sort split stat strings sum sync tac tail tar tee time timeout touch tr trap tree true truncate tsort ulimit umask
unalias uname unexpand uniq wait wc which whoami xargs xxd yes zcat`
const BUILT_IN = `. : [ break builtin cd command compgen complete continue declare dirs eval exec exit export fg getopts hash let local
mapfile popd pushd read readarray readonly return set shift shopt source test type typeset unset`

export const FILE_COMMANDS: readonly string[] = FILES.split(/\s+/)
export const COMMANDS: ReadonlySet<string> = new Set([...FILE_COMMANDS, ...BUILT_IN.split(/\s+/)])
