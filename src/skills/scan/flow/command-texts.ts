// Finds shell code: in scripts and code blocks, in inline code, and in the values of build files and
// settings.

import type { CodeUnit } from '../fences.ts'
import type { Source } from '../base/source.ts'

export interface CommandText {
  readonly text: string
  readonly from: number
}

/** Programs and names that fetch, decode or hold secrets. Code without any of them is not followed. */
const MATTERS =
  /\b(?:curl|wget|aria2c|https?|xh|l?ftp|tftp|lynx|w3m|ssh|scp|rsync|sftp|redis-cli|psql|mysql|mongosh?|git|gh|glab|gsutil|gcloud|aws|az|rclone|ipfs|kubectl|docker|podman|npm|consul|etcdctl|vault|nc|ncat|netcat|socat|telnet|websocat|dig|drill|kdig|host|nslookup|finger|openssl|gpg2?|base(?:64|32)|xxd|uudecode|rev|tr|zcat|gunzip|unzip|strings|exiftool|env|printenv|pbpaste|xclip|security|op|pass|history|perl|python3?|node|ruby|php|awk|sed|jq|tail|export -p|declare -p|set(?= *[|>])|lua\w*|deno|bun|pwsh|Rscript|julia|osascript|coproc|ztcp|secret-tool|keyring|age|sops|pdftotext)\b|\.env\b|\.ssh|_TOKEN|_KEY|id_rsa|\/dev\/tcp/
/** Programs and names that run or send something. Code without any of them is not followed. */
const ENDS =
  /\b(?:eval|source|bash|zsh|dash|ksh|sh|python[\d.]*|node|deno|bun|perl|ruby|php|lua\w*|pwsh|osascript|Rscript|julia|xargs|at|batch|crontab|parallel|chmod|curl|wget|nc|ncat|netcat|socat|ssh|scp|rsync|mail|sendmail|dig|nslookup|host|gh|aws|gsutil|rclone|http|https|xh|ftp|trap|exec|telnet|openssl|ping|logger)\b|\$\{?[A-Z_a-z]|(?:^|\s)\.\s|\/dev\/tcp/

export function matters(text: string): boolean {
  return MATTERS.test(text) && ENDS.test(text)
}

const TEXTS_MAX = 512
/** Build files, settings and jobs, which contain shell commands, unlike programs in other languages. */
const HOLDS_COMMANDS =
  /(?:^|\/)[^./]*$|(?:^|\/)(?:Make|Docker|Container|Just|Proc|Task)file[^/]*$|\.(?:json\w?|plist|xml|toml|ipynb|ya?ml|mk|mak|just|service|timer|conf|cfg|ini|cron|crontab|txt|dockerfile|envrc|desktop|gradle|tf|hcl|nix|code-workspace)$/i
const SPAN = /(?<!`)`([^`\n]{8,600})`(?!`)/g
const PROMPT = /^[ \t]*(?:>[ \t]?)*[ \t]*(?:[$%>](?=[ \t]))/gm

export function commandTexts(source: Source, units: readonly CodeUnit[]): readonly CommandText[] {
  const text = source.text ?? ''
  const found: CommandText[] = []
  for (const { language, from, to } of units.slice(0, TEXTS_MAX))
    if (language === 'shell')
      found.push({ text: text.slice(from, to).replace(PROMPT, (mark) => ' '.repeat(mark.length)), from })
  if (source.language === 'markdown') {
    let spans = 0
    for (const { 1: span = '', index } of text.matchAll(SPAN)) {
      // A call in another language, or a single word, is not a command.
      if (!/\s/.test(span) || /^(?:[\w.]+\(|\$\(|[|;&])/.test(span) || ++spans > TEXTS_MAX) continue
      if (!units.some(({ from, to }) => from <= index && index < to))
        found.push({ text: span, from: index + 1 })
    }
    return found.sort((a, b) => a.from - b.from)
  }
  if (source.language !== 'other' || !HOLDS_COMMANDS.test(source.path)) return found
  return /\.(?:json\w?|plist|xml|toml|ipynb|code-workspace)$/i.test(source.path)
    ? valuesIn(text)
    : [{ text: linesOf(text), from: 0 }]
}

const VALUE = /"((?:[^"\\\n]|\\.){8,2000})"|<string>([^<]{8,2000})<\/string>/g
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\', '/': '/' }

function valuesIn(text: string): readonly CommandText[] {
  const found: CommandText[] = []
  for (const { 1: json, 2: xml = '', index } of text.matchAll(VALUE)) {
    if (found.length >= TEXTS_MAX) break
    const value =
      json === undefined
        ? xml.replace(
            /&(?:amp|lt|gt|quot);/g,
            (mark) => ({ '&amp;': '&', '&lt;': '<', '&gt;': '>' })[mark] ?? '"',
          )
        : json.replace(/\\(.)/g, (_, char: string) => ESCAPES[char] ?? char)
    // Text with backticks is a sentence about commands.
    if (/\s/.test(value) && !value.includes('`')) found.push({ text: value, from: index })
  }
  return found
}

/**
 * What precedes a command in a build file, such as `RUN` or `- run:`. It is replaced by spaces to keep
 * offsets.
 */
const PREFIX =
  /^[ \t]*(?:-[ \t]+)?(?:(?:run|command|script|entrypoint|cmd|args|shell|exec\w*|\w*Command)[ \t]*[:=][ \t]*(?:[|>][-+]?[ \t]*$)?|(?:RUN|CMD|ENTRYPOINT|SHELL|ExecStart\w*=)[ \t]*)?(?:[@+-][ \t]*)?|^(?:[*\d][*/\d,-]{0,7}[ \t]+){4}[*/\d,-]{1,8}[ \t]/gim

function linesOf(text: string): string {
  return text
    .replace(PREFIX, (mark) => mark.replace(/[^\n]/g, ' '))
    .replace(/^([A-Za-z_]\w{0,40})[ \t]*:?=[ \t]*(?=\S)(.*)$/gm, (whole, name: string, value: string) => {
      const given = `${name}="${value.replaceAll('"', "'")}`
      return given.length < whole.length ? `${given}"${' '.repeat(whole.length - given.length - 1)}` : whole
    })
    .replace(/\$\(shell /g, '$(      ')
    .replace(/\$\((\w{1,60})\)/g, '${$1}')
    .replace(/\$\$/g, ' $')
}
