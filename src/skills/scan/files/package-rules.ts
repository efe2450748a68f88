// Rules about files that should not be in a skill. Paths and links are checked where a skill is unpacked.

import { credentialFile } from '../../format/credential-files.ts'
import { quoted } from '../../format/finding.ts'
import type { UnparsedFence } from '../fences.ts'
import { archiveKind, programKind } from './magic.ts'
import { inspectZip } from './nested-zip.ts'
import type { ScanReport } from '../report.ts'
import type { RuleId } from '../rules/rules.ts'
import type { Source } from '../base/source.ts'

/**
 * Files that hold no code according to their name. Any other text that is not parsed is reported as unscanned
 * code.
 */
const DATA_FILE =
  /(?:^|\/)(?:[^./]*|\.[^/]*)$|\.(?:zip|tar|t?gz|t?bz2?|t?xz|zst|7z|rar|whl|jar|war|apk|egg|txt|md|rst|adoc|org|tex|bib|json\w{0,2}|geojson|ya?ml|toml|ini|cfg|conf|properties|csv|tsv|xml|xsd|dtd|rdf|svg|css|scss|less|lock|log|env|envrc|example|sample|template|te?mpl|j2|proto|graphql|gql|avsc|diff|patch|ics|vcf|srt|vtt|eml|pem|key|crt|cer|pub|asc|sig|sha\d{1,3}|md5|map|bin|dat|git\w{1,12}|\w{1,20}ignore|\w{1,20}rc|editorconfig|python-version|nvmrc|node-version)$/i
const TEXT_LANGUAGE =
  /^(?:te?xt|plain(?:text)?|none|output|console-output|log|json\w{0,2}|ya?ml|toml|ini|cfg|conf|config|properties|env|dotenv|csv|tsv|xml|svg|css|scss|less|md|mdx|markdown|rst|tex|latex|math|diff|patch|http|url|mermaid|dot|graphviz|plantuml|d2|ascii|tree|proto|protobuf|graphql|gql|regex|ebnf|bnf|gitignore|prompt|template|jinja2?|liquid|handlebars|email|quote|example|skill|xaml|bibtex)$/
const SCRIPT_FILE = /^#!|(?:^|\/)(?:Make|Docker|Rake|Gem|Vagrant|Jenkins|Pod|Just|Brew|Proc)file$/

/** Reports a code file in a language that is not parsed. */
export function checkLanguage(source: Source, report: ScanReport): void {
  if (source.language !== 'other' || source.text === null) return
  if (!DATA_FILE.test(source.path) || SCRIPT_FILE.test(source.path) || source.text.startsWith('#!'))
    report.add('code-not-scanned', source.path, null, 'Code in an unsupported language')
}

/** Reports the code blocks of a document in languages that are not parsed, once per language. */
export function checkFenceLanguages(
  source: Source,
  fences: readonly UnparsedFence[],
  report: ScanReport,
): void {
  const reported = new Set<string>()
  for (const { languageTag, offset } of fences) {
    const name = languageTag.toLowerCase()
    if (TEXT_LANGUAGE.test(name) || reported.has(name)) continue
    reported.add(name)
    report.add('code-not-scanned', source.path, source.lineAt(offset), `Code in ${quoted(languageTag)}`)
  }
}

/** How many bytes are searched for a NUL. Every Windows program has one near its beginning; text has none. */
const HEAD_BYTES = 4_096

/**
 * Applies the rules about the whole file. Returns true for a compiled program, to which no other rule
 * applies.
 */
export function checkPackageFile(source: Source, report: ScanReport): boolean {
  const { path, bytes } = source
  const add = (rule: RuleId, summary: string): void => report.add(rule, path, null, summary)
  if (source.isSkillFile && path.includes('/') && !path.startsWith('evals/fixtures/'))
    add('package-nested-skill-md', 'A nested SKILL.md')
  const credentialRule = credentialFile(path)?.rule
  if (credentialRule !== undefined)
    add(
      credentialRule,
      credentialRule === 'package-git-directory' ? 'A file of a Git repository' : 'A credential file',
    )
  else if (/(?:^|\/)credentials$/i.test(path))
    add('package-maybe-sensitive-file', 'A possible credential file')
  const program = programKind(path, bytes, !bytes.subarray(0, HEAD_BYTES).includes(0))
  if (program !== null) add('package-executable-binary', `This is ${program}`)
  else checkArchive(path, bytes, add)
  return program !== null
}

function checkArchive(path: string, bytes: Uint8Array, add: (rule: RuleId, summary: string) => void): void {
  const archive = archiveKind(path, bytes)
  if (archive === null) return
  const zip = archive === 'archive' ? null : inspectZip(bytes)
  if (zip?.program)
    add(
      'package-archive-with-program',
      `The archive contains ${zip.program.kind}, ${quoted(zip.program.name)}`,
    )
  else if (archive !== 'document')
    add(
      'package-nested-archive',
      zip?.isComplete === false ? 'An archive that could not be looked into completely' : 'An archive',
    )
}
