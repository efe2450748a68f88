// Applies the rules for Python and JavaScript scripts to fenced code blocks in Markdown, with most warnings lowered to
// notes: an example is read before anybody runs it. Half of all examples are fragments; one that cannot be parsed is
// judged as far as possible.

import type { Steps } from '../../../lib/steps.ts'
import type { CodeUnit } from '../fences.ts'
import type { ScanReport } from '../report.ts'
import { lineCounter } from '../base/source.ts'
import type { Source } from '../base/source.ts'
import { JAVASCRIPT } from './javascript/javascript.ts'
import { judgeCode } from './common/judge.ts'
import { findNormal } from './common/normal.ts'
import { PYTHON } from './python/python.ts'

const KEYS =
  /passwd|shadow|\.ssh|id_(?:rsa|dsa|ecdsa|ed25519)|\.aws|-credentials|netrc|pypirc|\.kube|\.docker|gnupg|gcloud|docker\.sock|Keychains|Login Data|wallet|Local State|cookies|\.env\b/

/** `fits`: whether code of this length may be parsed; other code is only searched for the names that matter. */
export function* excerptsIn(
  source: Source,
  units: readonly CodeUnit[],
  fits: (chars: number) => boolean,
  report: ScanReport,
): Steps<void> {
  for (const unit of units) {
    if (unit.language === 'shell' || unit.language === 'windows') continue
    const language = unit.language === 'python' ? PYTHON : JAVASCRIPT
    const text = (source.text ?? '').slice(unit.from, unit.to)
    // Nearly all examples mention nothing that the rules cover: these need no parser.
    const names = new RegExp(`${language.hints.source}|${KEYS.source}`)
    if ((yield* findNormal(text, names)) === null) continue
    const parsed = fits(text.length)
    const milder: ScanReport = {
      ...report,
      add(rule, _, line, seen) {
        // A fragment is no finding.
        if (parsed && /-(?:unparsable|parsed-in-part)$/.test(rule)) return
        // Data that SKILL.md sends away, and downloaded code that is run, keep their full severity.
        const isRequested =
          (source.isSkill && rule.endsWith('-exfil')) || /-(?:fetched|received)-code$/.test(rule)
        report[isRequested ? 'add' : 'addExample'](rule, source.path, line, seen)
      },
    }
    yield* judgeCode(language, excerptOf(source, unit), parsed, milder)
  }
}

/** The fence as a separate source, without its indent and prompts; line numbers are those of the document. */
function excerptOf(source: Source, unit: CodeUnit): Source {
  const fence = (source.text ?? '').slice(unit.from, unit.to).split('\n').slice(1)
  const indent = /^[ \t>]*/.exec(fence.find((line) => line.trim() !== '') ?? '')?.[0] ?? ''
  const plain = fence.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
  const session = unit.language === 'python' && plain.some((line) => line.startsWith('>>> '))
  const code = session ? plain.map((line) => (/^(?:>>>|\.\.\.) /.test(line) ? line.slice(4) : '')) : plain
  const text = code.join('\n')
  const first = source.lineAt(unit.from)
  const lines = lineCounter(text)
  return {
    ...source,
    path: unit.language === 'typescript' ? 'excerpt.ts' : 'excerpt',
    text,
    language: unit.language === 'python' ? 'python' : 'javascript',
    lineAt: (offset) => first + lines(offset),
  }
}
