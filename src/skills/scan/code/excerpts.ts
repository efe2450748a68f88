// Python and JavaScript in the fences of a Markdown file: the rules of scripts, where a warning is a note. An example is read
// before anybody runs it, and half of all examples are fragments: what cannot be parsed is judged as far as it can be.

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

/** `fits`: whether the code may be parsed; what may not is searched for the names that matter. */
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
    // Nearly all examples name nothing that a rule is about: these need no parser.
    const names = new RegExp(`${language.hints.source}|${KEYS.source}`)
    if ((yield* findNormal(text, names)) === null) continue
    const parsed = fits(text.length)
    const milder: ScanReport = {
      ...report,
      add(rule, _, line, seen) {
        // Half of all examples are fragments.
        if (parsed && /-(?:unparsable|parsed-in-part)$/.test(rule)) return
        // What SKILL.md sends away, and what is fetched to be run, is asked for.
        const isRequested =
          (source.isSkill && rule.endsWith('-exfil')) || /-(?:fetched|received)-code$/.test(rule)
        report[isRequested ? 'add' : 'addExample'](rule, source.path, line, seen)
      },
    }
    yield* judgeCode(language, excerptOf(source, unit), parsed, milder)
  }
}

/** The fence as a file of its own, without its indent and prompts; lines keep the numbers of the document. */
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
