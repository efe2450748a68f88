// Applies the rules for Python and JavaScript to fenced code blocks in Markdown. Most warnings become notes,
// because people read an example before they run it. Many examples are fragments, so a block that can be
// parsed only in part is not reported for that.

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

/**
 * `fits` returns whether a block of this length may be parsed; other blocks are only searched for relevant
 * names.
 */
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
    // Nearly all examples mention nothing that the rules cover, so they need not be parsed.
    const names = new RegExp(`${language.hints.source}|${KEYS.source}`)
    if ((yield* findNormal(text, names)) === null) continue
    const parsed = fits(text.length)
    const milder: ScanReport = {
      ...report,
      add(rule, _, line, seen) {
        // Fragments are not reported as unparsable.
        if (parsed && /-(?:unparsable|parsed-in-part)$/.test(rule)) return
        // Exfiltration in SKILL.md, and running downloaded code, keep their severity.
        const isRequested =
          (source.isSkill && rule.endsWith('-exfil')) || /-(?:fetched|received)-code$/.test(rule)
        report[isRequested ? 'add' : 'addExample'](rule, source.path, line, seen)
      },
    }
    yield* judgeCode(language, excerptOf(source, unit), parsed, milder)
  }
}

/** The block as a separate source, without its indent and prompts. Line numbers are those of the document. */
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
