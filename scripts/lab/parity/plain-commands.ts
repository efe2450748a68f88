// The commands on every machine with bash, in addition to bash's own: those of a minimal Linux image, taken from their
// manuals, not from the sandbox.

const COREUTILS = `arch b2sum base32 base64 basename basenc cat chgrp chmod chown chroot cksum comm cp csplit cut date dd df dir
dircolors dirname du echo env expand expr factor false fmt fold groups head hostid id install join link ln logname ls md5sum
mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste pathchk pinky pr printenv printf ptx pwd readlink realpath
rm rmdir seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail
tee test timeout touch tr true truncate tsort tty uname unexpand uniq unlink uptime users vdir wc who whoami yes`
/** From findutils, grep, sed, an awk, diffutils, tar, gzip, procps (ps) and debianutils. */
const OTHER_COMMANDS = `find xargs grep egrep fgrep sed awk diff cmp tar gzip gunzip zcat ps hostname which bash sh`

export const PLAIN_NAMES = [COREUTILS, OTHER_COMMANDS].flatMap((names) => names.split(/\s+/))
