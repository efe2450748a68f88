// Classifies programs by what they do: fetch, decode, send, or run something.

/** Programs that print or save content from another machine. */
const FETCH_PROGRAMS =
  /^(?:curl|wget|aria2c|axel|https?|xh|xhs|fetch|lynx|w3m|links|elinks|lftp|ftp|tftp|ssh|sshpass|redis-cli|valkey-cli|psql|mysql|mariadb|mongosh|mongo|nc|ncat|netcat|nc\.openbsd|nc\.traditional|socat|telnet|dig|drill|kdig|host|nslookup|finger|websocat|wscat|mosquitto_sub|nats|kcat|grpcurl|torsocks|smbclient|sftp|whois)$/
const FETCH_COMMANDS =
  /^(?:git (?:-C \S+ )?(?:show|cat-file|log|archive|notes show|config --get|tag -l)\b|git (?:-C \S+ )?for-each-ref|gh (?:gist view|api|release (?:view|download)|run (?:view|download)|issue view|pr view|repo view)\b|glab api|gsutil (?:cat|cp)\b|gcloud (?:storage (?:cat|cp)|secrets versions access|compute (?:ssh|project-info))\b|aws (?:s3 cp|s3api get-object|ssm get-parameters?|secretsmanager get|dynamodb get)\b|az (?:storage blob download|keyvault secret show)\b|rclone (?:cat|copy)\b|mc cat\b|ipfs (?:cat|get)\b|kubectl (?:get|exec|logs)\b|docker (?:run|exec|logs|inspect)\b|podman run\b|npm (?:view|info|show)\b|consul kv get|etcdctl get|vault kv get|rsync \S*.*\w:|scp .*\w:|openssl s_client\b|hg cat|svn cat|nix-store|busybox (?:wget|nc)\b|pip(?:3)? download\b)/
/** Programs that fetch from the web. A finding about them depends on the address. */
export const WEB_PROGRAMS = /^(?:curl|wget|aria2c|axel|https?|xhs?|fetch|lynx|w3m|links|elinks)$/

export function fetchesData(name: string, command: string): boolean {
  return FETCH_PROGRAMS.test(name) || FETCH_COMMANDS.test(command)
}

/**
 * Commands that decode unreadable data into text, or extract text from a file that seems to be something
 * else.
 */
const DECODE_COMMANDS =
  /^(?:base64|base32|basenc) .*(?:-[a-zA-Z]{0,3}[dD]|--?decode)|^xxd .*-[a-z]{0,3}r|^openssl (?:enc|aes|des|base64|bf|rc4|smime|cms|rsautl|pkeyutl)\S* .*-(?:d|decrypt|A -d|a -d)\b|^openssl \S+ -d\b|^gpg2? .*(?:-[a-z]{0,4}d\b|--decrypt)|^uudecode|^(?:gunzip|zcat|bzcat|xzcat|zstdcat|bunzip2|unxz|lzcat|brotli|age|unlzma)\b|^(?:gzip|bzip2|xz|zstd|lz4|brotli|age|sops) .*-[a-z]{0,4}d|^unzip .*-[a-z]{0,3}p|^7z[az]? .*-so\b|^(?:exiftool|steghide|zsteg|outguess|strings|identify|ffprobe|pdftotext|zbarimg|qpdf)\b|^tail .*(?:-n|-c)? ?\+\d+ .*(?:\$0|BASH_SOURCE)|^sed .*(?:\$0|BASH_SOURCE)|^awk .*(?:\$0$|BASH_SOURCE|%c)|^(?:perl|ruby|python[\d.]*|node|php|lua) .*(?:pack\s?\(|b64decode|decode64|base64_decode|fromhex|unhexlify|fromCharCode|atob|Buffer\.from|rot_?13|hex2bin|decompress|inflate|chr\()|^rev\b|^tac\b|^tr (?=\S*-)(?!\S*(?:\[:|\\n))\S{3,} (?=\S*-\S*-)\S{5,}|^ascii85|^base58/

export function decodesData(command: string): boolean {
  return DECODE_COMMANDS.test(command)
}

/** Programs that transform text. Before a shell, the result is no longer the text that a reader sees. */
export const TEXT_FILTERS = /^(?:tr|rev|tac|sed|cut|fold|awk|paste|xxd|perl|dd|od|jq|grep|egrep|gawk)$/

export const SHELLS = /^(?:ba|z|da|k|mk|a|fi|tc|c|rba|ya|po)?sh$|^(?:nu|elvish|xonsh)$/
const OTHER_INTERPRETERS =
  /^(?:python[\d.]{0,5}|pypy3?|ipython3?|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|php\d{0,2}|lua[\d.]{0,4}|luajit|osascript|pwsh|powershell|Rscript|R|julia|groovy|guile|racket|elixir|tclsh|expect|scala|jshell|crystal|raku)(?:\.exe)?$/
export const SCHEDULERS = /^(?:at|batch|crontab|parallel)$/

export function isInterpreter(name: string): boolean {
  return SHELLS.test(name) || OTHER_INTERPRETERS.test(name)
}

/** Options that are followed by the text of a program. */
export const PROGRAM_FLAGS =
  /^(?:-[a-zA-Z]{0,4}[ceE]|--eval|--exec|--execute|-[Cc]ommand|-r|-p|-pe|-ne|eval|-le|-lc|-print|--print)$/

/**
 * Programs that start the program in their arguments, and the subset that takes another argument before it.
 */
export const WRAPPERS =
  /^(?:sudo|doas|env|nohup|exec|command|builtin|time|nice|ionice|setsid|stdbuf|timeout|gtimeout|unbuffer|caffeinate|proxychains4?|torsocks|torify|chronic|flock|chroot|busybox|toybox|strace|firejail|eatmydata|winpty|arch|unshare|nsenter|disown|coproc|systemd-run|watch|exe|start|xvfb-run|then|do|else|!|npx|bunx|yarn|pnpm|uvx)$/
export const WRAPPERS_WITH_OPERAND = /^(?:timeout|gtimeout|flock|chroot)$/
export const OPTION_WITH_VALUE = /^-(?:u|g|U|n|C|k|s|p|S|r)$/

/**
 * Programs that read the files in their arguments. Other programs that name a key file change it where it is.
 */
export const READ_PROGRAMS =
  /^(?:cat|bat|head|tail|less|more|base64|base32|xxd|od|hexdump|gzip|bzip2|xz|zstd|strings|openssl|sort|uniq|tr|cut|sed|awk|grep|egrep|rg|jq|yq|tar|zip|7z|7za|cp|rsync|dd|tee|paste|nl|tac|rev|gpg|sqlite3|plutil|defaults|python3?|perl|ruby|node|install|ditto|mv|ln|find|printf|echo|xargs|column|fold|wc|split|age|strings|curl|wget|read|mapfile|readarray|cpio|pax|bsdtar|expand|iconv|Get-Content)$/
/** Programs that write the files in their arguments into another file. */
export const COPY_PROGRAMS =
  /^(?:tar|zip|7z|7za|cp|mv|ln|rsync|install|ditto|bsdtar|openssl|gpg|split|age|dd|sqlite3|cpio|pax)$/

/** Programs that send their input or arguments to another machine. */
const SEND_PROGRAMS =
  /^(?:curl|wget|https?|xhs?|nc|ncat|netcat|socat|telnet|ssh|sshpass|scp|sftp|rsync|ftp|lftp|tftp|mail|mailx|mutt|sendmail|msmtp|swaks|dig|drill|kdig|host|nslookup|ping|websocat|wscat|mosquitto_pub|logger|rclone|smbclient|croc|wormhole|magic-wormhole|ffsend|transfer|redis-cli|aria2c|xclip-remote|ntfy)$/
const SEND_COMMANDS =
  /^(?:gh (?:gist create|issue (?:create|comment)|pr (?:create|comment)|api)\b|glab snippet|aws (?:s3 (?:cp|mv|sync)|sns publish|sqs send)|gsutil (?:cp|rsync)|gcloud storage cp|az storage blob upload|openssl s_client|git (?:push|send-email)|ipfs add|busybox (?:nc|wget)|npm publish|docker push|slack-cli|telegram-send)\b/

export function sendsData(name: string, command: string): boolean {
  return SEND_PROGRAMS.test(name) || SEND_COMMANDS.test(command)
}

/** Options whose value authenticates the client or says where the response is stored. */
export const AUTH_OPTIONS =
  /^(?:-u|--user|-K|--config|--cert|--key|--cacert|--netrc-file|-i|-o|-O|--output|-b|--cookie|-c|--cookie-jar|-e|--rsh|-F\s*$|--identity|-l|-p|--proxy|--resolve)$/
export const AUTH_HEADERS =
  /^(?:(?:proxy-)?authorization|private-token|x-api-key|api-key|x-auth(?:-token|-key|-email)?|x-[\w-]{0,20}(?:token|key|secret)|cookie|apikey|job-token)\s?:/i
