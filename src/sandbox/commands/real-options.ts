// Options that only the real tools have, and what they print for unknown options. Taken from `--help` and experiments
// with coreutils 9.1, grep 3.8, sed 4.9, findutils 4.9, diffutils 3.8, util-linux 2.38, gzip 1.12, tar 1.34, zip 3.0,
// unzip 6.0, gawk 5.2 and tree 2.1.

/** Options by command, without those in the command's own table. All commands also have `--help` and `--version`. */
const OTHERS: Readonly<Record<string, string>> = {
  awk:
    '-b --characters-as-bytes -c --traditional -C --copyright -d --dump-variables -D --debug -E --exec -g --gen-pot ' +
    '-h -i --include -I --trace -k --csv -l --load -L --lint -M --bignum -n --non-decimal-data -N --use-lc-numeric ' +
    '-o --pretty-print -p --profile -P --posix -S --sandbox -t --lint-old -V -W',
  bc: '-c -h -v',
  cksum: '-b -t -w -z --ignore-missing --quiet --status --strict --tag --warn --zero',
  cmp: '-c -v --print-chars',
  column: '-h -V --table-empty-lines',
  cp: '--copy-contents',
  date: '--rfc-822',
  diff:
    '-h -v -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --binary --ignore-file-name-case --inhibit-hunk-merge ' +
    '--no-ignore-file-name-case --palette --sdiff-merge-assist',
  du: '-H -P --files0-from --no-dereference --time-style',
  env: '--block-signal --default-signal --ignore-signal --list-signal-handling',
  envsubst: '-h -V',
  grep: '-V -X --fixed-regexp',
  gzip: '-a -b -h -m -H -L -M -V -Z --bits --license --lzw --silent --synchronous',
  hexdump: '-h -V',
  hostname:
    '-a --alias -A --all-fqdns -b --boot -d --domain -F --file -h -i --ip-address -I --all-ip-addresses -V -y --yp --nis',
  iconv: '-V --usage',
  install: '-Z --context --preserve-context --strip-program',
  ls: '-D --dereference-command-line --dereference-command-line-symlink-to-dir --dired --show-control-chars',
  mktemp: '-V',
  od: '-e -h -B -D -F -H -I -L -O -X',
  patch: '-v -x --debug',
  printenv: '-i -u',
  rev: '-h -V',
  sed: '-V',
  setsid: '-h -V',
  sort: '-y --batch-size --compress-program --debug --files0-from --random-source --sort',
  strings: '-h -v -H -T -V --target',
  tail: '-b -l -s --max-unchanged-stats --pid --retry --sleep-interval',
  tar:
    '-F -g -G -i -K -l -L -M -n -N -o -P -R -s -S -U -V -w -W -X -b -B -H -I -j -J -u -d -A -r -T -Z ' +
    '--absolute-names --acls --add-file --after-date --append --atime-preserve --backup --block-number --blocking-factor ' +
    '--bzip2 --catenate --check-device --check-links --checkpoint --checkpoint-action --clamp-mtime --compare --compress ' +
    '--concatenate --confirmation --delay-directory-restore --delete --dereference --diff --exclude-backups ' +
    '--exclude-caches --exclude-caches-all --exclude-caches-under --exclude-from --exclude-ignore ' +
    '--exclude-ignore-recursive --exclude-tag --exclude-tag-all --exclude-tag-under --exclude-vcs --exclude-vcs-ignores ' +
    '--files-from --force-local --format --full-time --group --group-map --hard-dereference --hole-detection ' +
    '--ignore-case --ignore-command-error --ignore-failed-read --ignore-zeros --incremental --index-file --info-script ' +
    '--interactive --keep-directory-symlink --keep-newer-files --label --level --listed-incremental --lzip --lzma --lzop ' +
    '--mode --mtime --multi-volume --new-volume-script --newer --newer-mtime --no-acls --no-auto-compress ' +
    '--no-check-device --no-delay-directory-restore --no-ignore-case --no-ignore-command-error --no-null ' +
    '--no-quote-chars --no-recursion --no-seek --no-selinux --no-unquote --no-verbatim-files-from --no-wildcards ' +
    '--no-wildcards-match-slash --no-xattrs --null --numeric-owner --occurrence --old-archive --one-file-system ' +
    '--one-top-level --overwrite-dir --owner --owner-map --pax-option --portability --posix --preserve-order ' +
    '--program-name --quote-chars --quoting-style --read-full-records --record-size --recursive-unlink --remove-files ' +
    '--restrict --rmt-command --rsh-command --same-order --seek --selinux --show-defaults --show-omitted-dirs ' +
    '--show-snapshot-field-ranges --show-stored-names --show-transformed-names --skip-old-files --sparse ' +
    '--sparse-version --starting-file --suffix --tape-length --test-label --to-command --totals --transform ' +
    '--uncompress --unlink-first --unquote --update --usage --use-compress-program --utc --verbatim-files-from --verify ' +
    '--volno-file --warning --wildcards-match-slash --xattrs --xattrs-exclude --xattrs-include --xform --xz --zstd',
  tr: '-A',
  tree:
    '-A -c -C -D -F -g -H -h -J -l -N -o -p -q -Q -R -r -S -s -t -T -u -U -v -x -X --caseinsensitive --compress ' +
    '--device --du --filelimit --filesfirst --fromfile --fromtabfile --gitfile --gitignore --hintro --hyperlink ' +
    '--ignore-case --info --infofile --inodes --matchdirs --metafirst --nolinks --opt-toggle --outfile --prune ' +
    '--scheme --authority --si --sort --timefmt',
  unexpand: '-0 -1 -2 -3 -4 -5 -6 -7 -8 -9',
  uniq: '-0 -1 -2 -3 -4 -5 -6 -7 -8 -9',
  unzip: '-A -b -B -c -C -d -D -E -F -h -I -i -J -K -L -M -N -O -s -S -T -U -V -W -x -X -z -: -^ -2',
  which: '',
  zip:
    '-A -b -c -e -F -f -g -h -H -i -J -k -l -L -m -M -n -O -o -P -p -R -s -S -t -T -u -U -v -V -w -x -y -z -Z -@ -$ -? ' +
    '--help --license --version --more-help --grow --move --freshen --update --filesync --encrypt --password --fix ' +
    '--fixfix --test --unzip-command --suffixes --latest-time --output-file --paths --recurse-patterns --regex ' +
    '--split-size --split-pause --split-verbose --split-bell --show-command --show-debug --show-files --show-options ' +
    '--show-unicode --show-just-unicode --from-date --before-date --copy-entries --unicode --verbose --wild-stop-dirs ' +
    '--exclude --include --strip-extra --symlinks --archive-comment --compression-method --names-stdin --entry-comments ' +
    '--temp-path --display-bytes --display-counts --display-dots --display-globaldots --dot-size --display-usize ' +
    '--display-volume --difference-archive --fifo --force-descriptors --force-zip64 --junk-sfx --DOS-names --to-crlf ' +
    '--from-crlf --logfile-path --log-append --log-info --must-match --no-wild --store --compress-1 --compress-9',
}

const SED_USAGE = 'Usage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...'
const TRY = (name: string): string => `Try '${name} --help' for more information.`

/** What follows the message about a wrong option, unless it is `Try 'NAME --help' for more information.` */
const AFTER: Readonly<Record<string, string>> = {
  bc: 'usage: bc [options] [file ...]',
  cmp: `cmp: ${TRY('cmp')}`,
  diff: `diff: ${TRY('diff')}`,
  grep: `Usage: grep [OPTION]... PATTERNS [FILE]...\n${TRY('grep')}`,
  gzip: "Try `gzip --help' for more information.",
  hostname: 'Usage: hostname [-b] {hostname|-F file}         set host name (from file)',
  sed: SED_USAGE,
  strings: 'Usage: strings [option(s)] [file(s)]',
  iconv: "Try `iconv --help' or `iconv --usage' for more information.",
  patch: "patch: Try 'patch --help' for more information.",
  tar: "Try 'tar --help' or 'tar --usage' for more information.",
}

const ALIASES: Readonly<Record<string, string>> = {
  egrep: 'grep',
  fgrep: 'grep',
  gunzip: 'gzip',
  zcat: 'gzip',
  hd: 'hexdump',
  gawk: 'awk',
  mawk: 'awk',
}

function realName(command: string): string {
  return ALIASES[command] ?? command
}

/** Options that only the real command has. */
export function otherOptions(command: string): readonly string[] {
  const name = realName(command)
  const others = Object.hasOwn(OTHERS, name) ? (OTHERS[name] ?? '') : ''
  return ['--help', '--version', ...others.split(' ').filter((flag) => flag !== '')]
}

/** The real command's message for wrong options. `message` is that of GNU's parser. */
export function usageMessage(command: string, message: string): string {
  const name = realName(command)
  return `${message}\n${Object.hasOwn(AFTER, name) ? (AFTER[name] ?? '') : TRY(command)}`
}
