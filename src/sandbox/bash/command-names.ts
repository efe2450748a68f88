// The names of the shell's commands: those listed by `ls /usr/bin`, and the built-in ones.

const FILES = `[ awk b2sum base32 base64 basename bash bc cat chmod cksum cmp column comm cp csplit cut date dd diff
dirname du echo egrep env envsubst expand expr factor false fgrep find fmt fold gawk grep gunzip gzip hd head
hexdump hostname iconv id install join jq kill ln ls mawk md5sum mkdir mktemp mv nice nl node nohup nproc numfmt od paste patch
printenv printf pwd python python3 readlink realpath rev rm rmdir sed seq setsid sh sha1sum sha224sum sha256sum
sha384sum sha512sum shuf sleep sort split sqlite3 stat stdbuf strings sum sync tac tail tar tee test timeout touch tr tree
true truncate tsort uname unexpand uniq unzip wc which whoami xargs xxd yes zcat zgrep zip zipinfo`
const BUILT_IN = `. : alias break builtin caller cd command complete compopt continue declare dirs disown eval exec exit export
getopts hash help history jobs let local logout mapfile popd pushd read readarray readonly return set shift shopt source times trap
type typeset ulimit umask unalias unset wait`

export const FILE_COMMANDS: readonly string[] = FILES.split(/\s+/)
export const COMMANDS: ReadonlySet<string> = new Set([...FILE_COMMANDS, ...BUILT_IN.split(/\s+/)])
