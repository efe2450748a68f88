// Commands that people expect in a shell but that are missing here, each with an alternative that exists.

import { COMMANDS } from './command-names.ts'

const NETWORK = 'this shell has no network. If you have a tool that fetches pages, use that'
const ACCOUNT = 'this shell has no network and no accounts. If a tool of yours reaches that service, use it'
const PACKAGES =
  'nothing can be installed. Use the commands of this shell (see `help`) and the modules in the skills'
const MACHINE = 'this shell has no operating system behind it: no processes, services or users'
const BUILD = 'nothing can be compiled or built here. Write the files and say how to build them'
const EDITOR = 'there is no terminal. Use your tools for files, or sed, or a here-document'
const OTHER_LANGUAGE = 'that language is not installed'

/** Maps each command to its explanation, which follows "not here: ". */
const ABSENT: Readonly<Record<string, string>> = {
  ...rows(NETWORK, 'curl wget http https nc ncat telnet ftp aria2c'),
  ...rows(
    'this shell has no network',
    'ping dig nslookup host traceroute ssh scp sftp rsync openssl nmap ip ifconfig netstat ss',
  ),
  ...rows(
    ACCOUNT,
    'az aws gcloud gsutil bq kubectl helm terraform gh glab vercel wrangler heroku doctl psql mysql',
  ),
  ...rows(ACCOUNT, 'mongosh redis-cli sqlcmd bcp snowsql'),
  ...rows(
    PACKAGES,
    'pip pip3 pipx uv uvx poetry conda npm npx pnpm yarn bun deno cargo gem brew apt apt-get yum dnf apk',
  ),
  ...rows(
    'there is no repository. Use diff to compare files; the thread keeps its files without commits',
    'git hg svn',
  ),
  ...rows(
    MACHINE,
    'docker podman docker-compose systemctl service journalctl crontab mount lsof kill pkill killall',
  ),
  ...rows(
    MACHINE,
    'ps top htop free df screen tmux useradd chown chgrp who w last users groups getent uptime lscpu lsblk dmesg',
  ),
  ...rows('there is only one user; run the command without it', 'sudo su doas'),
  ...rows(BUILD, 'make cmake gcc g++ cc clang go rustc javac mvn gradle dotnet tsc'),
  ...rows(EDITOR, 'vi vim nvim nano emacs ed ex less more'),
  ...rows(OTHER_LANGUAGE, 'perl ruby php lua Rscript R java pwsh powershell'),
  dc: 'use bc',
  yq: 'nothing here reads YAML. Use jq for JSON, or awk and sed',
  'html-to-markdown': 'read it as it is, or use python3 with its module html.parser',
  pwgen: 'use python3 with its module random',
  ...rows('use python3 -m json.tool, or jq', 'jsonlint gron'),
  ...rows('use python3 with its module bz2, or gzip', 'bzip2 bunzip2 bzcat'),
  ...rows(
    'nothing here reads that format. Use gzip, zip, or python3 with its module bz2',
    'xz unxz xzcat lzma zstd unzstd zstdcat 7z 7za lz4 compress rar unrar',
  ),
  ...rows('use tar or zip', 'cpio ar'),
  ...rows('use diff and zcat: diff <(zcat FILE1) <(zcat FILE2)', 'zdiff zcmp'),
  ...rows('use zcat', 'zless zmore'),
  zegrep: 'use zgrep -E',
  zfgrep: 'use zgrep -F',
  ...rows('use base64', 'uuencode uudecode'),
  file: 'use head -c 16 FILE | xxd',
  pr: 'use paste, column or fold for columns',
  sdiff: 'use diff -y',
  ptx: 'use awk, or python3',
  pathchk: 'use a pattern of the shell: case $name in *[!A-Za-z0-9._-]*) echo bad ;; esac',
  dircolors: 'use ls without colours',
  link: 'use cp: files have no second names here',
  logname: 'use whoami',
  diff3: 'use diff -u of two files at a time',
  mkfifo: 'use a pipe, <(...) or a file',
  sponge: 'write to another file, and mv it over the first',
  ...rows('use awk or python3', 'dos2unix unix2dos'),
  ...rows('use grep -rn', 'rg ag ack'),
  ...rows('use find', 'fd fdfind locate'),
  ...rows('use ls', 'dir vdir exa eza'),
  shred: 'use rm',
  ...rows('use cat -n', 'bat batcat'),
  rename: 'use mv in a loop, with ${name/OLD/NEW}',
  parallel: 'use xargs -P',
  watch: 'use a loop with sleep',
  uuidgen: 'use python3 with its module uuid',
  cal: 'use python3 -m calendar',
  m4: 'use envsubst or python3',
  ...rows('use python3 with its module xml.etree.ElementTree', 'xmllint xsltproc xmlstarlet'),
  ...rows(
    'use awk, or python3 with its module csv',
    'mlr xsv qsv csvcut csvgrep csvsort csvstat csvlook in2csv',
  ),
  ...rows('use python3 -m unittest', 'pytest nosetests'),
  ...rows(
    'there is no terminal. Leave it out; printf can print colours',
    'tput clear reset stty script expect',
  ),
  ...rows('leave it out of the pipe', 'pv'),
  ...rows('use sha256sum, or python3 with its module hashlib', 'shasum'),
  ...rows('no graphics or media programs are installed', 'convert magick ffmpeg ffprobe dot gnuplot'),
  ...rows(
    'your tools for files read such documents as text',
    'pdftotext pandoc libreoffice soffice pdftk qpdf',
  ),
  ...rows('no browser is installed', 'chromium google-chrome firefox playwright xdg-open open'),
  ...rows('python and node are not enabled for this shell', 'python3 python node'),
}

function rows(explanation: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, explanation]))
}

/** The explanations by program name, for programs that start others. */
export const ABSENT_PROGRAMS: ReadonlyMap<string, string> = new Map(
  Object.entries(ABSENT).filter(([name]) => !COMMANDS.has(name)),
)

/** The message that a shell prints after "bash: " for an unknown command. */
export function notFound(name: string): string {
  const explanation = Object.hasOwn(ABSENT, name) ? ABSENT[name] : undefined
  return explanation === undefined
    ? `${name}: command not found`
    : `${name}: command not found: not here: ${explanation}.`
}
