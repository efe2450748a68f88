// Rules about secrets in the text of a file. A finding never quotes a secret.

import { isPrivateKey, KEY_MAX_CHARS } from './private-key.ts'
import type { ScanReport } from '../report.ts'
import { isInvented, isPlaceholder, looksLikeSecret } from './secret-values.ts'
import type { Source } from '../base/source.ts'

const HEADER = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
const TOKENS: readonly (readonly [RegExp, string])[] = [
  [/(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g, 'an AWS access key id'],
  [/(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{20,255}/g, 'a GitHub token'],
  [/(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{22,255}/g, 'a GitHub token'],
  [/(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20,100}/g, 'a GitLab token'],
  [/(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g, 'an npm token'],
  [/(?<![A-Za-z0-9])pypi-AgE[A-Za-z0-9_-]{40,255}/g, 'a PyPI token'],
  [/(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,100}/g, 'a Hugging Face token'],
  [/(?<![A-Za-z0-9])xox[baprs]-[A-Za-z0-9-]{20,255}/g, 'a Slack token'],
  [/hooks\.slack\.com\/services\/T[A-Z0-9]{6,12}\/B[A-Z0-9]{6,12}\/[A-Za-z0-9]{20,30}/g, 'a Slack webhook'],
  [/(?<![A-Za-z0-9_-])sk-(?:ant|proj|svcacct|or|admin)-[A-Za-z0-9_-]{20,255}/g, 'a model provider key'],
  [/(?<![A-Za-z0-9_-])sk-[A-Za-z0-9]{20,255}/g, 'a model provider key'],
  [/(?<![A-Za-z0-9])[sr]k_live_[A-Za-z0-9]{16,255}/g, 'a Stripe live key'],
  [/(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/g, 'a SendGrid key'],
  [/(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g, 'a Google API key'],
  [
    /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{10,1000}\.eyJ[A-Za-z0-9_-]{10,1000}\.[A-Za-z0-9_-]{10,1000}/g,
    'a JSON Web Token',
  ],
]
const ASSIGNMENT =
  /(token|passw(?:or)?d|api[_-]?key|secret|credential)([A-Za-z0-9_-]{0,40})["'\]]{0,2}[ \t]{0,8}(:(?!:)|=(?![=>~]))[ \t]{0,8}(?:"([^"\n]{0,400})"|'([^'\n]{0,400})'|`([^`\n]{0,400})`|([^\s,;"'`]{0,400}))/gi
// File types of code, in which a value without quotes is an expression or a type.
const CODE_SUFFIX =
  /\.(?:py|pyi?w?|[cm]?[jt]sx?|go|rs|java|kt|swift|rb|php|cs|c|cc|cpp|h|hpp|scala|lua|r|dart|tf|vue|svelte|html?|css|graphql|proto|sql|ipynb)$/i

/** The beginnings of secrets whose presence is an error. */
export const SECRET_ERROR_ANCHOR =
  'PRIVATE KEY-|PRIVATE KEY BLOCK|AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|xox[baprs]-|hooks\\.slack|sk-|[sr]k_live|SG\\.|AIza|eyJ'
export const SECRET_ANCHOR =
  'token|TOKEN|Token|passw|PASSW|Passw|secret|SECRET|Secret|credential|CREDENTIAL|Credential|api[_-]?[kK]ey|API[_-]?KEY|Api[_-]?Key'

const TOKEN_TERMS = new RegExp(SECRET_ERROR_ANCHOR)
const ASSIGNMENT_TERMS = new RegExp(SECRET_ANCHOR)

export function checkSecrets(piece: string, pieceOffset: number, source: Source, report: ScanReport): void {
  for (const match of piece.includes('PRIVATE KEY') ? piece.matchAll(HEADER) : []) {
    const offset = pieceOffset + match.index
    const headerEnd = offset + match[0].length
    if (isPrivateKey((source.text ?? '').slice(headerEnd, headerEnd + KEY_MAX_CHARS)))
      report.add('secret-private-key', source.path, source.lineAt(offset), 'A private key')
  }
  for (const [pattern, name] of TOKEN_TERMS.test(piece) ? TOKENS : [])
    for (const match of piece.matchAll(pattern))
      if (!isSample(match[0]))
        report.add(
          'secret-cloud-token',
          source.path,
          source.lineAt(pieceOffset + match.index),
          `Text that looks like ${name}`,
        )
  const isCode =
    source.language === 'python' || source.language === 'javascript' || CODE_SUFFIX.test(source.path)
  for (const match of ASSIGNMENT_TERMS.test(piece) ? piece.matchAll(ASSIGNMENT) : []) {
    const [, keyword = '', suffix = '', , doubleQuoted, singleQuoted, backQuoted, unquoted] = match
    const quotedValue = doubleQuoted ?? singleQuoted ?? backQuoted
    if (quotedValue === undefined && isCode) continue
    if (looksLikeSecret({ suffix, value: quotedValue ?? unquoted ?? '' }))
      report.add(
        'secret-env-assignment',
        source.path,
        source.lineAt(pieceOffset + match.index),
        `A value is assigned to a name that contains "${keyword.toLowerCase()}"`,
      )
  }
}

// Sample tokens from documentation: AKIAIOSFODNN7EXAMPLE, ghp_xxxx…, 1234567890, and the JWT of John Doe.
function isSample(token: string): boolean {
  const body = token.replace(
    /^(?:AKIA|ASIA|gh[pousr]_|github_pat_|sk-(?:ant-|proj-)?|xox[baprs]-|npm_|glpat-|hf_|[sr]k_live_|SG\.|AIza|hooks\.slack\.com\/services\/)/,
    '',
  )
  if (isPlaceholder(body) || isInvented(body)) return true
  if (!token.startsWith('eyJ')) return false
  try {
    const payload = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')
    return /John Doe|1234567890|example/i.test(atob(payload))
  } catch {
    return true // The payload is not base64, so no server accepts the token.
  }
}
