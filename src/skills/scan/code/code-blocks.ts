// Applies the rules for Python and JavaScript to fenced code blocks in Markdown. Most warnings become notes,
// because people read an example before they run it. Many examples are fragments, so a block that can be
// parsed only in part is not reported for that.

import type { Steps } from '../../../lib/steps.ts'
import type { CodeRange } from '../fences.ts'
import type { ScanReport } from '../report.ts'
import { lineCounter } from '../base/source.ts'
import type { Source } from '../base/source.ts'
import { JAVASCRIPT } from './javascript/javascript.ts'
import { checkCode } from './common/check-code.ts'
import { findNormalized } from './common/normalized.ts'
import { PYTHON } from './python/python.ts'

const CREDENTIAL_PATHS =
  /passwd|shadow|\.ssh|id_(?:rsa|dsa|ecdsa|ed25519)|\.aws|-credentials|netrc|pypirc|\.kube|\.docker|gnupg|gcloud|docker\.sock|Keychains|Login Data|wallet|Local State|cookies|\.env\b/

/**
 * `takeBudget` returns whether a block of this length may be parsed, and deducts it from the budget. Other
 * blocks are only searched for relevant names.
 */
export function* checkCodeBlocks(
  source: Source,
  blocks: readonly CodeRange[],
  takeBudget: (chars: number) => boolean,
  report: ScanReport,
): Steps<void> {
  for (const block of blocks) {
    if (block.language === 'shell' || block.language === 'windows') continue
    const language = block.language === 'python' ? PYTHON : JAVASCRIPT
    const text = (source.text ?? '').slice(block.from, block.to)
    // Nearly all examples mention nothing that the rules cover, so they need not be parsed.
    const relevantPattern = new RegExp(`${language.relevantNames.source}|${CREDENTIAL_PATHS.source}`)
    if ((yield* findNormalized(text, relevantPattern)) === null) continue
    const canParse = takeBudget(text.length)
    const downgraded: ScanReport = {
      ...report,
      add(rule, _, line, summary) {
        // Fragments are not reported as unparsable.
        if (canParse && /-(?:unparsable|parsed-in-part)$/.test(rule)) return
        // Exfiltration in SKILL.md, and running downloaded code, keep their severity.
        const isRequested =
          (source.isSkillFile && rule.endsWith('-exfil')) || /-(?:fetched|received)-code$/.test(rule)
        report[isRequested ? 'add' : 'addExample'](rule, source.path, line, summary)
      },
    }
    yield* checkCode(language, sourceOfBlock(source, block), canParse, downgraded)
  }
}

/** The block as a separate source, without its indent and prompts. Line numbers are those of the document. */
function sourceOfBlock(source: Source, block: CodeRange): Source {
  const fence = (source.text ?? '').slice(block.from, block.to).split('\n').slice(1)
  const indent = /^[ \t>]*/.exec(fence.find((line) => line.trim() !== '') ?? '')?.[0] ?? ''
  const dedented = fence.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
  const isRepl = block.language === 'python' && dedented.some((line) => line.startsWith('>>> '))
  const code = isRepl
    ? dedented.map((line) => (/^(?:>>>|\.\.\.) /.test(line) ? line.slice(4) : ''))
    : dedented
  const text = code.join('\n')
  const firstLine = source.lineAt(block.from)
  const lineInBlock = lineCounter(text)
  return {
    ...source,
    path: block.language === 'typescript' ? 'excerpt.ts' : 'excerpt',
    text,
    language: block.language === 'python' ? 'python' : 'javascript',
    lineAt: (offset) => firstLine + lineInBlock(offset),
  }
}
