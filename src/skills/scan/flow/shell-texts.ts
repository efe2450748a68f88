// Finds shell code: in scripts and code blocks, in inline code, and in the values of build files and
// settings.

import type { CodeRange } from '../fences.ts'
import type { Source } from '../base/source.ts'

export interface ShellText {
  readonly text: string
  readonly from: number
}

/** Programs and names that fetch, decode or hold secrets. Code without any of them is not followed. */
const SOURCE_TERMS =
  /\b(?:curl|wget|aria2c|https?|xh|l?ftp|tftp|lynx|w3m|ssh|scp|rsync|sftp|redis-cli|psql|mysql|mongosh?|git|gh|glab|gsutil|gcloud|aws|az|rclone|ipfs|kubectl|docker|podman|npm|consul|etcdctl|vault|nc|ncat|netcat|socat|telnet|websocat|dig|drill|kdig|host|nslookup|finger|openssl|gpg2?|base(?:64|32)|xxd|uudecode|rev|tr|zcat|gunzip|unzip|strings|exiftool|env|printenv|pbpaste|xclip|security|op|pass|history|perl|python3?|node|ruby|php|awk|sed|jq|tail|export -p|declare -p|set(?= *[|>])|lua\w*|deno|bun|pwsh|Rscript|julia|osascript|coproc|ztcp|secret-tool|keyring|age|sops|pdftotext)\b|\.env\b|\.ssh|_TOKEN|_KEY|id_rsa|\/dev\/tcp/
/** Programs and names that run or send something. Code without any of them is not followed. */
const SINK_TERMS =
  /\b(?:eval|source|bash|zsh|dash|ksh|sh|python[\d.]*|node|deno|bun|perl|ruby|php|lua\w*|pwsh|osascript|Rscript|julia|xargs|at|batch|crontab|parallel|chmod|curl|wget|nc|ncat|netcat|socat|ssh|scp|rsync|mail|sendmail|dig|nslookup|host|gh|aws|gsutil|rclone|http|https|xh|ftp|trap|exec|telnet|openssl|ping|logger)\b|\$\{?[A-Z_a-z]|(?:^|\s)\.\s|\/dev\/tcp/

export function isRelevant(text: string): boolean {
  return SOURCE_TERMS.test(text) && SINK_TERMS.test(text)
}

const SHELL_TEXTS_MAX = 512
/** Build files, settings and jobs, which contain shell commands, unlike programs in other languages. */
const COMMAND_FILE =
  /(?:^|\/)[^./]*$|(?:^|\/)(?:Make|Docker|Container|Just|Proc|Task)file[^/]*$|\.(?:json\w?|plist|xml|toml|ipynb|ya?ml|mk|mak|just|service|timer|conf|cfg|ini|cron|crontab|txt|dockerfile|envrc|desktop|gradle|tf|hcl|nix|code-workspace)$/i
const INLINE_CODE = /(?<!`)`([^`\n]{8,600})`(?!`)/g
const PROMPT = /^[ \t]*(?:>[ \t]?)*[ \t]*(?:[$%>](?=[ \t]))/gm

export function findShellTexts(source: Source, blocks: readonly CodeRange[]): readonly ShellText[] {
  const text = source.text ?? ''
  const shellTexts: ShellText[] = []
  for (const { language, from, to } of blocks.slice(0, SHELL_TEXTS_MAX))
    if (language === 'shell')
      shellTexts.push({
        text: text.slice(from, to).replace(PROMPT, (prefix) => ' '.repeat(prefix.length)),
        from,
      })
  if (source.language === 'markdown') {
    let spanCount = 0
    for (const { 1: span = '', index } of text.matchAll(INLINE_CODE)) {
      // A call in another language, or a single word, is not a command.
      if (!/\s/.test(span) || /^(?:[\w.]+\(|\$\(|[|;&])/.test(span) || ++spanCount > SHELL_TEXTS_MAX) continue
      if (!blocks.some(({ from, to }) => from <= index && index < to))
        shellTexts.push({ text: span, from: index + 1 })
    }
    return shellTexts.sort((a, b) => a.from - b.from)
  }
  if (source.language !== 'other' || !COMMAND_FILE.test(source.path)) return shellTexts
  return /\.(?:json\w?|plist|xml|toml|ipynb|code-workspace)$/i.test(source.path)
    ? findValues(text)
    : [{ text: shellLines(text), from: 0 }]
}

const QUOTED_VALUE = /"((?:[^"\\\n]|\\.){8,2000})"|<string>([^<]{8,2000})<\/string>/g
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\', '/': '/' }

function findValues(text: string): readonly ShellText[] {
  const shellTexts: ShellText[] = []
  for (const { 1: jsonText, 2: xmlText = '', index } of text.matchAll(QUOTED_VALUE)) {
    if (shellTexts.length >= SHELL_TEXTS_MAX) break
    const value =
      jsonText === undefined
        ? xmlText.replace(
            /&(?:amp|lt|gt|quot);/g,
            (entity) => ({ '&amp;': '&', '&lt;': '<', '&gt;': '>' })[entity] ?? '"',
          )
        : jsonText.replace(/\\(.)/g, (_, char: string) => ESCAPES[char] ?? char)
    // Text with backticks is a sentence about commands.
    if (/\s/.test(value) && !value.includes('`')) shellTexts.push({ text: value, from: index })
  }
  return shellTexts
}

/** The text before a command in a build file, such as `RUN` or `- run:`. Spaces replace it to keep offsets. */
const COMMAND_PREFIX =
  /^[ \t]*(?:-[ \t]+)?(?:(?:run|command|script|entrypoint|cmd|args|shell|exec\w*|\w*Command)[ \t]*[:=][ \t]*(?:[|>][-+]?[ \t]*$)?|(?:RUN|CMD|ENTRYPOINT|SHELL|ExecStart\w*=)[ \t]*)?(?:[@+-][ \t]*)?|^(?:[*\d][*/\d,-]{0,7}[ \t]+){4}[*/\d,-]{1,8}[ \t]/gim

function shellLines(text: string): string {
  return text
    .replace(COMMAND_PREFIX, (prefix) => prefix.replace(/[^\n]/g, ' '))
    .replace(/^([A-Za-z_]\w{0,40})[ \t]*:?=[ \t]*(?=\S)(.*)$/gm, (line, name: string, value: string) => {
      const assignment = `${name}="${value.replaceAll('"', "'")}`
      return assignment.length < line.length
        ? `${assignment}"${' '.repeat(line.length - assignment.length - 1)}`
        : line
    })
    .replace(/\$\(shell /g, '$(      ')
    .replace(/\$\((\w{1,60})\)/g, '${$1}')
    .replace(/\$\$/g, ' $')
}
